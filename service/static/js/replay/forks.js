/** Forks: a variation to try things out, or a match that is played on. */

import { attempt, buttonRow, dialog, field } from "../shared/dialogs.js";
import { around, make, onSubmit } from "../shared/elements.js";
import { post, put } from "../shared/http.js";
import { prefix } from "../shared/prefix.js";

const WAYS = {
  variation: ["Try it out", "A variation beside the match: enter moves, comment on them, compare."],
  match: ["Play on from here", "A separate match that begins with the moves up to here."],
};

/**
 * Ask for the kind of fork, and go to the board of the new line.
 *
 * @type {(reading: Reading) => void}
 */
export function openForkDialog({ player, root }) {
  const { dataset } = player.here.element;
  const { game = "", longestName } = root.dataset;
  const choices = Object.entries(WAYS).map(([kind, [words, hint]], place) =>
    make(
      "label",
      { class: "choice" },
      make("input", { type: "radio", name: "kind", value: kind, checked: place === 0 }),
      make("span", {}, make("b", {}, words), make("small", { class: "soft" }, hint)),
    ),
  );
  const name = make("input", { maxlength: longestName, autocomplete: "off" });
  const form = make(
    "form",
    { method: "dialog" },
    make("fieldset", { class: "choices" }, make("legend", { class: "unseen" }, "A variation or a new match?"), ...choices),
    field("Name", name, "To find it again; you may leave it empty."),
    buttonRow(() => opened.close(), make("button", { class: "button" }, "Go")),
  );
  const where = dataset.ply === "0" ? "from the start" : `after move ${dataset.ply}`;
  const opened = dialog(`What if, ${where} …`, form);
  onSubmit(form, async () => {
    const kind = new FormData(form).get("kind");
    const named = name.value.trim() ? { name: name.value.trim() } : {};
    const body = { ply: Number(dataset.ply), version: Number(dataset.version), kind, ...named };
    await attempt(form, game, async () => {
      const made = await post(`/matches/${dataset.match}/forks`, body);
      location.assign(`${prefix}/join/${made.match}/${made.tokens.host}`);
    });
  });
}

/**
 * Name, hide or promote the line of the tree whose button was clicked.
 *
 * @type {(event: Event, reading: Reading) => void}
 */
export function useForkTool(event, { root }) {
  const act = around(event, "[data-fork-act]")?.dataset.forkAct;
  const item = around(event, "[data-fork]");
  if (!act || !item) return;
  if (act === "rename") return openNameDialog(item, root);
  attempt(item, root.dataset.game ?? "", async () => {
    await post(`/matches/${item.dataset.fork}/${act}`);
    location.reload();
  });
}

/** @type {(item: HTMLElement, root: HTMLElement) => void} */
function openNameDialog({ dataset }, root) {
  const name = make("input", { maxlength: root.dataset.longestName, value: dataset.name });
  const form = make(
    "form",
    { method: "dialog" },
    field("Name", name, "Leave it empty to remove the name."),
    buttonRow(() => opened.close(), make("button", { class: "button" }, "Save")),
  );
  const opened = dialog("Name this line", form);
  name.select();
  onSubmit(form, () => {
    attempt(form, root.dataset.game ?? "", async () => {
      await put(`/matches/${dataset.fork}/name`, { name: name.value.trim() });
      location.reload();
    });
  });
}
