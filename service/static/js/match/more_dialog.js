/** The dialog "More": actions that are seldom needed at a table, and need a second thought. */

import { button, find, make, notify, onSubmit, twice } from "../shared/elements.js";
import { HttpError, post } from "../shared/http.js";
import { openModal } from "../shared/modal.js";
import { prefix } from "../shared/prefix.js";
import { choiceWords, nameOf, sentence } from "../shared/words.js";
import { isWanted, want } from "./alerts.js";
import { typedMove } from "./typed_move.js";

/** @typedef {Pick<RecordActions, "enter" | "choose"> & { changed: () => void, unsure: boolean, doubt: () => void }} Actions */

/**
 * Open the dialog for a caller. `changed` is called after an action that was done at once.
 *
 * @type {(controls: Controls, on: Actions) => void}
 */
export function openMoreDialog(controls, on) {
  const close = () => dialog.close();
  /** @type {HTMLDialogElement} */
  const dialog = make(
    "dialog",
    { class: "sheet", "aria-labelledby": "sheet-title" },
    make("div", { class: "sheet-head" }, make("h2", { id: "sheet-title" }, "More"), button("Close", close, { class: "button bare" })),
    ...[learning(controls), ...saying(controls, on, close), ...typing(controls, on, close), doubting(controls, on, close), wrong(controls), missing(controls, on, close), adjusting(controls), ...leaving(controls, on, close), ruling(controls, on, close), ownDevice()].filter((each) => each !== null),
  );
  dialog.addEventListener("click", ({ target }) => target === dialog && close());
  openModal(dialog);
}

/** @type {() => HTMLElement} */
function ownDevice() {
  /** @type {(kind: "sound" | "speech", label: string) => HTMLElement} */
  const choice = (kind, label) =>
    button(label, ({ currentTarget }) => {
      want(kind, !isWanted(kind));
      currentTarget.setAttribute("aria-pressed", String(isWanted(kind)));
    }, { "aria-pressed": String(isWanted(kind)) });
  const speech = "speechSynthesis" in window ? choice("speech", "Say moves aloud") : null;
  return part(make("p", {}, "This device"), make("div", { class: "row" }, choice("sound", "Sound and buzz"), speech));
}

/** @type {(controls: Controls) => HTMLElement} */
function learning({ game }) {
  return part(make("a", { class: "button quiet broad", href: `${prefix}/how-to-play/${game}` }, "How to play"));
}

/** @type {(controls: Controls, on: Actions, close: () => void) => HTMLElement[]} */
function typing({ match, over, seats, names }, on, close) {
  const speakers = over ? [] : seats.filter(({ secret, withheld }) => !secret.length && !withheld);
  return speakers.map(({ seat }) => {
    const words = speakers.length > 1 ? `${nameOf(names, seat)}: type a move` : "Type a move";
    return folded(words, typedMove(match, seat, "As the list of moves has it", { choose: (choice) => (close(), on.choose(choice)) }));
  });
}

/**
 * Return the buttons for what a player may say instead of a number, once for all players.
 *
 * @type {(controls: Controls, on: Actions, close: () => void) => HTMLElement[]}
 */
function saying(controls, on, close) {
  const speaker = controls.seats.find(({ controls: { numbers } }) => numbers?.length);
  if (!speaker) return [];
  const { seat, choices } = speaker;
  return choices.map((choice) =>
    part(button(choiceWords(choice, controls), ({ currentTarget }) => twice(currentTarget, () => (close(), on.choose({ seat, ...choice }))), { class: "button quiet broad" })),
  );
}

/** @type {(controls: Controls, on: Actions, close: () => void) => HTMLElement | null} */
function doubting({ over, seats }, on, close) {
  if (over || seats.every(({ secret }) => secret.length)) return null;
  return part(button("Not sure of the next move", () => (close(), on.doubt()), { class: "button quiet broad", "aria-pressed": String(on.unsure) }));
}

/** @type {(controls: Controls) => HTMLElement | null} */
function wrong({ match, ply, role }) {
  if (!ply) return null;
  const [said, label] = role === "host"
    ? ["Correct an entry; what comes after it stays as long as it fits.", "We wrote that down wrongly"]
    : ["Only the scorekeeper can correct the record.", "Look through the record"];
  return part(
    make("a", { class: "button quiet broad", href: `${prefix}/m/${match}/replay?amend=${ply}#${ply}` }, label),
    make("small", { class: "soft" }, said),
  );
}

/** @type {(controls: Controls, on: Actions, close: () => void) => HTMLElement | null} */
function missing({ over, seats, dice, unguided, names }, on, close) {
  if (over || !unguided || dice === "service" || !seats.length) return null;
  const speakers = seats.map(({ seat }) => seat);
  return group("A move is missing", speakers, names, (each) => (close(), on.enter(each, "--", "A move is missing")));
}

/** @type {(controls: Controls) => HTMLElement | null} */
function adjusting({ match, role, adjustable }) {
  if (role !== "host" || !adjustable) return null;
  return part(
    make("a", { class: "button quiet broad", href: `${prefix}/m/${match}/adjust` }, "Adjust the position"),
    make("small", { class: "soft" }, "Did it break a rule, and you accept it? Show how, and say why."),
  );
}

/* Resigning, draws, time: each is said by a player; the scorekeeper says it for one. */

/** @type {(controls: Controls, on: Actions, close: () => void) => (HTMLElement | null)[]} */
function leaving({ over, playing, seat, names, offered, timed }, on, close) {
  if (over) return [];
  const speakers = playing.filter((each) => (seat ?? each) === each);
  /** @type {(text: string, words: string) => (seat: number) => void} */
  const say = (text, words) => (each) => (close(), on.enter(each, text, words));
  return [
    offered ? null : group("Offer a draw", speakers, names, say("offer-draw", "Offers a draw")),
    timed ? group("Claim that time is up", speakers, names, say("flag", "Claims the time")) : null,
    group("Resign", speakers, names, say("resign", "Resigns"), "danger"),
  ];
}

/** @type {(label: string, speakers: number[], names: Names, say: (seat: number) => void, look?: string) => HTMLElement} */
function group(label, speakers, names, say, look = "") {
  const buttons = speakers.map((each) =>
    button(speakers.length > 1 ? nameOf(names, each) : label, ({ currentTarget }) => twice(currentTarget, () => say(each)), {
      class: `button quiet ${look}`,
    }),
  );
  const title = speakers.length > 1 ? [make("p", {}, label)] : [];
  return part(...title, make("div", { class: "row" }, ...buttons));
}

/* A ruling is for the scorekeeper alone. */

/** @type {(controls: Controls, on: Actions, close: () => void) => HTMLElement | null} */
function ruling({ match, role, over, playing, names, version }, on, close) {
  if (role !== "host" || over) return null;
  const result = make(
    "select",
    { id: "ruled", name: "result" },
    ...playing.map((each) => make("option", { value: each }, `${nameOf(names, each)} won`)),
    make("option", { value: "drawn" }, "A draw"),
    make("option", { value: "abandoned" }, "Not finished"),
  );
  const { longestReason } = find(document, "main").dataset;
  const reason = make("input", { id: "ruled-why", name: "reason", maxlength: longestReason, autocomplete: "off" });
  const send = () => {
    const winner = Number(result.value) || null;
    const how = winner ? { result: "won", winner } : { result: result.value };
    return post(`/matches/${match}/rulings`, { ...how, reason: reason.value.trim(), expected: version });
  };
  return folded("End the match by a ruling", form([field("Result", result), field("Reason", reason)], "End the match", send, on, close));
}

/** @type {(fields: HTMLElement[], label: string, send: () => Promise<unknown>, on: Actions, close: () => void) => HTMLElement} */
function form(fields, label, send, on, close) {
  const trouble = make("p", { class: "notice bad", role: "alert", hidden: true });
  const made = make("form", { class: "stack" }, ...fields, trouble, make("button", { class: "button broad" }, label));
  onSubmit(made, async () => {
    try {
      await send();
      close();
      on.changed();
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      notify(trouble, sentence(error.message));
    }
  });
  return made;
}

/** @type {(label: string, control: HTMLElement) => HTMLElement} */
function field(label, control) {
  return make("div", { class: "field" }, make("label", { for: control.id }, label), control);
}

/** @type {(label: string, ...children: Node[]) => HTMLElement} */
function folded(label, ...children) {
  return make("details", {}, make("summary", {}, label), ...children);
}

/** @type {(...children: Node[]) => HTMLElement} */
function part(...children) {
  return make("div", { class: "part" }, ...children);
}
