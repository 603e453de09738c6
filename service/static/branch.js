/** Another way from here: a variation to try things out, or a match that is played on. */

import { attempt, dialog, ending, field } from "./dialogs.js";
import { make } from "./elements.js";
import { post, put } from "./requests.js";

const WAYS = {
  variation: ["Try it out", "A variation beside the match: enter moves, comment on them, compare."],
  match: ["Play on from here", "A match of its own that begins with the moves up to here."],
};

/** Ask what it shall be, and go to the board of the new line. */
export function branching({ player, root }) {
  const { dataset } = player.here.element;
  const choices = Object.entries(WAYS).map(([kind, [words, told]], place) =>
    make(
      "label",
      { class: "choice" },
      make("input", { type: "radio", name: "kind", value: kind, checked: place === 0 }),
      make("span", {}, make("b", {}, words), make("small", { class: "soft" }, told)),
    ),
  );
  const name = make("input", { maxlength: root.dataset.longestName, autocomplete: "off" });
  const form = make(
    "form",
    { method: "dialog" },
    make("fieldset", { class: "choices" }, make("legend", { class: "unseen" }, "What shall it be?"), ...choices),
    field("Name", name, "So that it is found again; you may leave it empty."),
    ending(() => opened.close(), make("button", { class: "button" }, "Go")),
  );
  const where = dataset.ply === "0" ? "from the start" : `after move ${dataset.ply}`;
  const opened = dialog(`What if, ${where} …`, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = { ply: Number(dataset.ply), version: Number(dataset.version) };
    body.kind = new FormData(form).get("kind");
    if (name.value.trim()) body.name = name.value.trim();
    await attempt(form, root.dataset.game, async () => {
      const made = await post(`/matches/${dataset.match}/forks`, body);
      location.assign(`/join/${made.match}/${made.tokens.host}`);
    });
  });
}

/** Let the host name, hide and promote the lines of the tree. */
export function tending({ root }) {
  const tree = root.querySelector("[data-part=tree]");
  tree?.addEventListener("click", ({ target }) => {
    const act = target.closest("[data-fork-act]")?.dataset.forkAct;
    if (!act) return;
    const item = target.closest("[data-fork]");
    if (act === "rename") return naming(item, root);
    attempt(item, root.dataset.game, async () => {
      await post(`/matches/${item.dataset.fork}/${act}`);
      location.reload();
    });
  });
}

function naming({ dataset }, root) {
  const name = make("input", { maxlength: root.dataset.longestName, value: dataset.name });
  const form = make(
    "form",
    { method: "dialog" },
    field("Name", name, "Leave it empty to take the name away."),
    ending(() => opened.close(), make("button", { class: "button" }, "Save")),
  );
  const opened = dialog("Name this line", form);
  name.select();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, root.dataset.game, async () => {
      await put(`/matches/${dataset.fork}/name`, { name: name.value.trim() });
      location.reload();
    });
  });
}
