/** The sheet "More": what is seldom needed at a table, and needs a second thought. */

import { button, clauseLink, make } from "./elements.js";
import { post } from "./requests.js";
import { nameOf, sentence } from "./words.js";

/**
 * Open the sheet for what `doing` says of the caller. `on` has `enter(seat, token, words)` for
 * what goes by the outbox, and `changed()` after what was done at once.
 */
export function openSheet(doing, on) {
  const close = () => dialog.close();
  const dialog = make(
    "dialog",
    { class: "sheet", "aria-labelledby": "sheet-title" },
    make("div", { class: "sheet-head" }, make("h2", { id: "sheet-title" }, "More"), button("Close", close, { class: "button bare" })),
    ...[wrong(doing), adjusting(doing), ...leaving(doing, on, close), ruling(doing, on, close)].filter(Boolean),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", ({ target }) => target === dialog && close());
  document.body.append(dialog);
  dialog.showModal();
}

function wrong({ match, ply, role }) {
  if (!ply) return null;
  const [said, label] = role === "host"
    ? ["Correct an entry; what comes after it stays as long as it fits.", "We wrote that down wrongly"]
    : ["Only the scorekeeper can correct the record.", "Look through the record"];
  return part(
    make("a", { class: "button quiet broad", href: `/m/${match}/replay?amend=${ply}#${ply}` }, label),
    make("small", { class: "soft" }, said),
  );
}

function adjusting({ match, role }) {
  if (role !== "host") return null;
  return part(
    make("a", { class: "button quiet broad", href: `/m/${match}/adjust` }, "Adjust the position"),
    make("small", { class: "soft" }, "It was not by the rules, but it stands? Show how, and say why."),
  );
}

/* Resigning, draws, time: each is said by a player; the scorekeeper says it for one. */

function leaving({ over, playing, seat, names, offered, timed }, on, close) {
  if (over) return [];
  const speakers = playing.filter((each) => [null, each].includes(seat));
  const say = (token, words) => (each) => (close(), on.enter(each, token, words));
  return [
    offered ? null : group("Offer a draw", speakers, names, say("offer-draw", "Offers a draw")),
    timed ? group("Time is up: claim it", speakers, names, say("flag", "Claims the time")) : null,
    group("Resign", speakers, names, say("resign", "Resigns"), "danger"),
  ];
}

function group(label, speakers, names, say, look = "") {
  const buttons = speakers.map((each) =>
    button(speakers.length > 1 ? nameOf(names, each) : label, ({ currentTarget }) => twice(currentTarget, () => say(each)), {
      class: `button quiet ${look}`,
    }),
  );
  const title = speakers.length > 1 ? [make("p", {}, label)] : [];
  return part(...title, make("div", { class: "row" }, ...buttons));
}

/** What cannot be taken for a slip is tapped twice. */
function twice(element, then) {
  if (element.dataset.sure) return then();
  element.dataset.sure = "yes";
  element.textContent = `${element.textContent}: sure?`;
}

/* For the scorekeeper alone. */

function ruling({ match, role, over, playing, names, version }, on, close) {
  if (role !== "host" || over) return null;
  const result = make(
    "select",
    { id: "ruled", name: "result" },
    ...playing.map((each) => make("option", { value: each }, `${nameOf(names, each)} won`)),
    make("option", { value: "drawn" }, "A draw"),
    make("option", { value: "abandoned" }, "Not finished"),
  );
  const { longestReason } = document.querySelector("main").dataset;
  const reason = make("input", { id: "ruled-why", name: "reason", maxlength: longestReason, autocomplete: "off" });
  const send = () => {
    const winner = Number(result.value) || null;
    const how = winner ? { result: "won", winner } : { result: result.value };
    return post(`/matches/${match}/rulings`, { ...how, reason: reason.value.trim(), expected: version });
  };
  return folded("End the match by a ruling", form([field("Result", result), field("Reason", reason)], "End the match", send, on, close, names));
}

function form(fields, label, send, on, close, names) {
  const trouble = make("p", { class: "notice bad", role: "alert", hidden: true });
  const made = make("form", { class: "stack" }, ...fields, trouble, make("button", { class: "button broad" }, label));
  made.tell = ({ message, clause }) => {
    trouble.replaceChildren(sentence(message, names), ...[clauseLink("", clause)].filter(Boolean));
    trouble.hidden = false;
  };
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await send();
      close();
      on.changed();
    } catch (error) {
      made.tell(error);
    }
  });
  return made;
}

function field(label, control, ...more) {
  return make("div", { class: "field" }, make("label", { for: control.id }, label), control, ...more);
}

function folded(label, ...children) {
  return make("details", {}, make("summary", {}, label), ...children);
}

function part(...children) {
  return make("div", { class: "part" }, ...children);
}
