/**
 * Correct a move that was written down wrongly: the person enters the right move on the board as it
 * was before, and sees which later moves no longer fit before anything is stored.
 */

import { placesOf, setTabStop, showStates } from "../board/tappable_board.js";
import { choicesOf, left, meant, openings, tapped } from "../board/move_choice.js";
import { reportCorrection } from "./correction_report.js";
import { attempt, field } from "../shared/dialogs.js";
import { button, find, make, onSubmit } from "../shared/elements.js";
import { dataOf, entryAt, swap } from "../board/frames.js";
import { describeMove } from "./captions.js";
import { prefix } from "../shared/prefix.js";
import { choiceWords, nameOf, pickWord } from "../shared/words.js";

const FEW = 4;

/**
 * Let the person replace the shown move on the board at once; other corrections are offered below
 * it.
 *
 * @type {(reading: ModalReading) => void}
 */
export function openCorrectionDialog(reading) {
  const { dataset } = reading.player.here.element;
  const [match, ply] = [dataset.match ?? "", Number(dataset.ply)];
  enterCorrection(reading, ply ? { match, ply, how: "replaced" } : { match, ply: 1, how: "inserted" });
}

/** @type {(fields: Field[]) => string[]} */
function textsOf(fields) {
  return [...new Set(fields.map(({ text }) => text))];
}

/**
 * Return the other ways to correct a move: one is missing before it, it was never played, or it was
 * played although the rules forbid it.
 *
 * @type {(reading: ModalReading, place: { match: string, ply: number }, adjustable: boolean) => HTMLElement}
 */
function otherWays(reading, place, adjustable) {
  const missing = () => enterCorrection(reading, { ...place, how: "inserted" });
  return make(
    "div",
    {},
    make(
      "div",
      { class: "row" },
      button("A move is missing before it", missing),
      button("This was never played", () => reportCorrection(reading, { ...place, how: "deleted" })),
    ),
    make(
      "p",
      { class: "hint" },
      "Was it another move? Tap that one in the list.",
      ...(adjustable ? [" Did it break a rule, and you accept it? ", make("a", { href: `${prefix}/m/${place.match}/adjust` }, "Adjust the position"), "."] : []),
    ),
  );
}

/**
 * Return the rulings that a match can end with, as texts and in words.
 *
 * @type {(controls: Controls) => [string, string][]}
 */
function results({ playing, names }) {
  const won = playing.map((seat) => /** @type {[string, string]} */ ([`ruled=+${seat}`, `${nameOf(names, seat)} won`]));
  return [...won, ["ruled==", "A draw"], ["ruled=*", "Not finished"]];
}

/**
 * Show the board before the move, and let the person tap the right move, or more moves after it.
 *
 * @type {(reading: ModalReading, change: import("./correction_report.js").Change) => Promise<void>}
 */
async function enterCorrection(reading, { texts = [], words = [], ...change }) {
  const { stage, root } = reading;
  const panel = make("div", { class: "panel" });
  /** @type {HTMLElement | undefined} */
  let fetched;
  await attempt(reading.desk, root.dataset.game ?? "", async () => {
    fetched = await entryAt(change.match, change.ply - 1, texts);
  });
  if (!fetched) return;
  /** @type {HTMLElement} */
  const frame = fetched;
  /** @type {Controls} */
  const controls = dataOf(frame, "record-controls");
  const choices = choicesOf(controls.seats, placesOf(frame));
  const ofNumbers = controls.seats.some(({ controls: { numbers } }) => numbers?.length);
  // Moves that are not listed cannot be tapped here.
  const unlisted = ofNumbers || controls.seats.some(({ begun }) => begun);
  const ranked = controls.pickers.flatMap(({ labels }) => labels.map(({ text }) => text));
  /** @type {string[]} */
  let picks = [];

  const draw = () => {
    const found = left(choices, picks);
    const [places, others] = [true, false].map((on) => textsOf(openings(found).filter(({ place = false }) => place === on)));
    // As everywhere: small, medium, large.
    others.sort((one, other) => ranked.indexOf(one) - ranked.indexOf(other));
    const [open, target] = picks.length ? [others, places] : [[...others, ...places], []];
    const states = { chosen: new Set(picks), open: new Set(open), target: new Set(target) };
    showStates(frame, states, found[0]?.choice.seat);
    rest.replaceChildren(...offers(found, others), cancel);
    ask.textContent = !picks.length ? begin : places.length ? "Now tap where it goes." : "And which of these?";
  };
  /** @type {(found: OpenChoice[], others: string[]) => HTMLElement[]} */
  const offers = (found, others) => {
    if (ruled) return results(controls).map(([text, words]) => button(words, () => chosen(text, words)));
    // If only a size or a colour is missing, the board offers the rest.
    const wanting = picks.length > 0 && others.length === found.length;
    return found.length <= FEW && !wanting
      ? found.map(({ choice }) => button(said(choice), () => chosen(choice.text, said(choice))))
      : others.map((text) => button(pickWord(text, controls), () => tap(text)));
  };
  /** @type {(choice: Choice) => string} */
  const said = (choice) => `${choiceWords(choice, controls)}${controls.seats.length > 1 ? ` (${nameOf(controls.names, choice.seat)})` : ""}`;
  /** @type {(written: string, deed?: string) => Promise<void>} */
  const chosen = (written, deed = written) => {
    const all = { ...change, texts: [...texts, ...written.split(/\s+/)], words: [...words, deed] };
    return reportCorrection(reading, all, () => enterCorrection(reading, all));
  };
  /** @type {(text: string) => void} */
  const tap = (text) => {
    const now = tapped(choices, picks, text);
    if (!now) return nothing(text);
    problem.textContent = "";
    picks = now;
    const one = meant(choices, picks);
    draw();
    if (one) chosen(one.text, said(one));
  };
  /** @type {(text: string) => void} */
  const nothing = (text) => {
    problem.textContent = unlisted ? "That cannot be tapped here; write it." : `No legal move here begins with ${[...picks, text].join(", ")}.`;
    picks = [];
    draw();
    showStates(frame, { refused: new Set([text]) });
  };

  const cancel = button("Cancel", () => (reading.end(), reading.player.refresh()), { class: "button bare" });
  const rest = make("div", { class: "row" });
  const problem = make("p", { class: "hint", role: "status" });
  const replacing = change.how === "replaced" && !texts.length;
  const was = reading.player.here.element;
  const example = change.ply > 1 || replacing ? find(was, "a").textContent ?? "" : "";
  const ruled = replacing && example.startsWith("ruled=");
  // For a number people write only its digits; its player and its row stay.
  const [whose = ""] = (ofNumbers && replacing && /^\d:(?:.*=)?(?=-?\d+$)/.exec(example)) || [];
  const typed = make("input", { autocapitalize: "off", autocomplete: "off", spellcheck: "false", maxlength: 400 });
  const typing = make("form", { class: "row typed" }, field(whose ? "The right number" : "The move, as in the list; or several", typed), make("button", { class: "button quiet" }, "Enter"));
  onSubmit(typing, () => {
    const written = typed.value.trim();
    const before = /^-?\d+$/.test(written) ? whose : /\s|^\d:/.test(written) ? "" : whose.slice(0, 2);
    if (written) chosen(before + written);
  });
  const who = controls.seats.map(({ seat }) => nameOf(controls.names, seat)).join(" or ");
  const how = change.how === "inserted" || texts.length ? "was forgotten:" : "was really";
  const tappable = who ? `Tap it on the board, for ${who}.` : "Nobody is awaited here.";
  const writable = whose ? `Write the right number of ${nameOf(controls.names, whose[0])}.` : `Write it as the list has it${example && `, like ${example}`}.`;
  const begin = ruled ? "How did it end?" : unlisted ? writable : tappable;
  const ask = make("p", { class: "hint", role: "status" }, begin);
  panel.append(
    make("h2", { tabindex: "-1" }, `Move ${change.ply + texts.length} ${how} …`),
    ...(replacing ? [make("p", { class: "hint" }, `It is written down as: ${describeMove(was)}.`)] : []),
    ask,
    ...(unlisted ? [typing] : []),
    rest,
    problem,
    ...(replacing ? [otherWays(reading, change, controls.adjustable)] : []),
    ...(unlisted ? [] : [make("details", { open: !choices.length }, make("summary", {}, "Write it instead"), typing)]),
  );
  reading.begin("correcting", panel, { tap });
  swap(stage, frame);
  setTabStop(frame);
  draw();
  find(panel, "h2").focus({ preventScroll: true });
  scrollTo({ top: 0 });
}
