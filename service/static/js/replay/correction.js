/**
 * "That was written down wrongly": the move as it really was is entered on the board as it stood
 * then; the moves that no longer stand are listed before anything is done.
 */

import { setTabStop, showStates } from "../board/tappable_board.js";
import { isPlace, left, meant, openings, tapped } from "../board/move_choice.js";
import { reportCorrection } from "./correction_report.js";
import { attempt, buttonRow, dialog, field } from "../shared/dialogs.js";
import { button, find, findAll, make } from "../shared/elements.js";
import { dataOf, entryAt, swap } from "../board/frames.js";
import { describeMove } from "./captions.js";
import { prefix } from "../shared/prefix.js";
import { choiceWords, nameOf, pickWord } from "../shared/words.js";

const FEW = 4;

/**
 * Ask how the move that is shown was wrong.
 *
 * @type {(reading: ModalReading) => void}
 */
export function openCorrectionDialog(reading) {
  const { element } = reading.player.here;
  const place = { match: element.dataset.match ?? "", ply: Number(element.dataset.ply) };
  const deed = describeMove(element);
  /** @type {(how: string, ply: number) => () => void} */
  const go = (how, ply) => () => (opened.close(), enterCorrection(reading, { ...place, ply, how }));
  const ways = place.ply
    ? [
        choice("Another move was played", "Enter the one that was; it takes the place of this.", go("replaced", place.ply)),
        choice("A move is missing before it", "Enter the one that was forgotten.", go("inserted", place.ply)),
        choice("This was never played", "Take it out.", () => (opened.close(), reportCorrection(reading, { ...place, how: "deleted" }))),
      ]
    : [choice("A first move is missing", "Enter the one that was forgotten.", go("inserted", 1))];
  const opened = dialog(
    place.ply ? `Wrong: move ${place.ply}, ${deed}` : "Wrong: the start",
    make("p", { class: "hint" }, "Was it another one? Cancel, and tap that one in the list of moves first."),
    make("div", { class: "choices" }, ...ways),
    make(
      "p",
      { class: "hint" },
      "Was it played like this, though against the rules, and stands? ",
      make("a", { href: `${prefix}/m/${place.match}/adjust` }, "Adjust the position"),
      ".",
    ),
    buttonRow(() => opened.close()),
  );
}

/** @type {(words: string, hint: string, onclick: () => void) => HTMLElement} */
function choice(words, hint, onclick) {
  const said = make("span", {}, make("b", {}, words), make("small", { class: "soft" }, hint));
  return make("button", { type: "button", class: "choice", onclick }, said);
}

/**
 * Show the board before the move, and let the right move be tapped, or more moves after it.
 *
 * @type {(reading: ModalReading, change: import("./correction_report.js").Change) => Promise<void>}
 */
async function enterCorrection(reading, { tokens = [], words = [], ...change }) {
  const { stage, root } = reading;
  const panel = make("div", { class: "panel" });
  /** @type {HTMLElement | undefined} */
  let fetched;
  await attempt(reading.desk, root.dataset.game ?? "", async () => {
    fetched = await entryAt(change.match, change.ply - 1, tokens);
  });
  if (!fetched) return;
  /** @type {HTMLElement} */
  const frame = fetched;
  /** @type {Controls} */
  const controls = dataOf(frame, "record-controls");
  const choices = controls.seats.flatMap(({ seat, choices }) => choices.map((each) => ({ seat, ...each })));
  /** @type {string[]} */
  let picks = [];

  const draw = () => {
    const found = left(choices, picks);
    const next = [...openings(found).values()].flatMap((texts) => [...texts]);
    const [places, supplies] = [next.filter(isPlace), next.filter((text) => !isPlace(text))];
    const [open, target] = picks.length ? [supplies, places] : [next, []];
    const states = { chosen: new Set(picks), open: new Set(open), target: new Set(target) };
    showStates(frame, states, found[0]?.choice.seat);
    rest.replaceChildren(...offers(found, next), cancel);
    ask.textContent = !picks.length ? begin : places.length ? "Now tap where it goes." : "And which of these?";
  };
  /** @type {(found: OpenChoice[], next: string[]) => HTMLElement[]} */
  const offers = (found, next) => {
    const onBoard = new Set(findAll(frame, ".pb-cell").map(({ dataset }) => dataset.at));
    const others = next.filter((text) => !onBoard.has(text));
    // Where only a size or a colour is missing the board shows the rest.
    const wanting = picks.length > 0 && others.length === found.length;
    return found.length <= FEW && !wanting
      ? found.map(({ choice }) => button(said(choice), () => chosen(choice.token, said(choice))))
      : others.map((text) => button(pickWord(text, controls), () => tap(text)));
  };
  /** @type {(choice: Choice) => string} */
  const said = (choice) => `${choiceWords(choice, controls)}${controls.seats.length > 1 ? ` (${nameOf(controls.names, choice.seat)})` : ""}`;
  /** @type {(written: string, deed?: string) => Promise<void>} */
  const chosen = (written, deed = written) => {
    const all = { ...change, tokens: [...tokens, ...written.split(/\s+/)], words: [...words, deed] };
    return reportCorrection(reading, all, () => enterCorrection(reading, all));
  };
  /** @type {(text: string) => void} */
  const tap = (text) => {
    const now = tapped(choices, picks, text);
    if (!now) return nothing(text);
    problem.textContent = "";
    picks = now;
    const one = meant(left(choices, picks));
    draw();
    if (one) chosen(one.token, said(one));
  };
  /** @type {(text: string) => void} */
  const nothing = (text) => {
    problem.textContent = `No move allowed here begins with ${[...picks, text].join(", ")} here.`;
    picks = [];
    draw();
    showStates(frame, { refused: new Set([text]) });
  };

  const cancel = button("Cancel", () => (reading.end(), reading.player.refresh()), { class: "button bare" });
  const rest = make("div", { class: "row" });
  const problem = make("p", { class: "hint", role: "status" });
  const typed = make("input", { autocapitalize: "off", autocomplete: "off", spellcheck: "false", maxlength: 400 });
  const typing = make("form", { class: "row typed" }, field("The move, as in the list; or several", typed), make("button", { class: "button quiet" }, "Enter"));
  typing.addEventListener("submit", (event) => {
    event.preventDefault();
    if (typed.value.trim()) chosen(typed.value.trim());
  });
  const who = controls.seats.map(({ seat }) => nameOf(controls.names, seat)).join(" or ");
  const how = change.how === "inserted" || tokens.length ? "was forgotten:" : "was really";
  const begin = who ? `Tap it on the board, for ${who}.` : "Nobody is awaited here.";
  const ask = make("p", { class: "hint", role: "status" }, begin);
  panel.append(
    make("h2", { tabindex: "-1" }, `Move ${change.ply + tokens.length} ${how} …`),
    ask,
    rest,
    problem,
    make("details", { open: !choices.length }, make("summary", {}, "Write it instead"), typing),
  );
  reading.begin("correcting", panel, { tap });
  swap(stage, frame);
  setTabStop(frame);
  draw();
  find(panel, "h2").focus({ preventScroll: true });
  scrollTo({ top: 0 });
}
