/**
 * Moves made by taps on an empty board, part by part as they are written, for an unjudged match:
 * only the kinds of moves and their notation are known.
 */

import { button, find, make } from "../shared/elements.js";
import { listenForTaps, placesOf, setTabStop, showStates } from "../board/tappable_board.js";

/** @typedef {{ before: string, after: string, choices: { text: string, words: string }[] }} Part */
/** @typedef {{ words: string, names_seat: boolean, parts: Part[] }} Kind */
/** @typedef {{ kind: Kind, written: string, at: number }} Begun A move up to its part `at`. */

/**
 * Listen for taps, and call `done` with each text that they make. Returns a function that returns
 * whether a move is begun.
 *
 * @param {HTMLElement} root
 * @param {Kind[]} kinds
 * @param {(move: string, namesSeat: boolean) => void} done
 * @returns {() => boolean}
 */
export function tapTexts(root, kinds, done) {
  const stage = find(root, "[data-part=stage]");
  const frame = find(stage, ".frame");
  const places = placesOf(frame);
  const built = find(root, "[data-part=built]");
  const [idle] = built.children;
  /** @type {string[]} */
  let picked = [];

  /** @type {() => Begun[]} */
  const begun = () => picked.reduce((some, text) => some.flatMap((each) => extended(each, text, places)), kinds.map((kind) => ({ kind, written: "", at: 0 })));

  /** @type {(texts: string[]) => void} */
  const pick = (texts) => {
    picked = texts;
    const [first, ...others] = begun();
    if (first && !others.length && isWhole(first)) {
      picked = [];
      done(first.written, first.kind.names_seat);
    }
    show();
  };

  /** @type {(text: string) => void} */
  const tap = (text) => {
    const [...before] = picked;
    picked = [...before, text];
    if (begun().length) pick(picked);
    else pick(before.at(-1) === text ? before.slice(0, -1) : [text]);
  };

  const show = () => {
    const some = begun();
    const [longest = ""] = some.map(({ written }) => written);
    built.replaceChildren(...(picked.length ? [make("code", {}, `${longest}…`), button("Begin again", () => pick([]))] : [idle]));
    find(root, "[data-part=pieces]").replaceChildren(
      ...some.filter(isWhole).map(({ kind, written }) => button(`${written} (${kind.words})`, () => {
        picked = [];
        done(written, kind.names_seat);
      })),
      ...some.filter((each) => !isWhole(each)).map(({ kind, at }) => choicesOf(kind, kind.parts[at], tap)),
    );
    showStates(frame, { chosen: new Set(picked) });
  };

  listenForTaps(stage, { tap, release: () => pick([]) });
  setTabStop(frame);
  show();
  return () => picked.length > 0;
}

/** @type {(begun: Begun, text: string, places: Set<string>) => Begun[]} */
function extended({ kind, written, at }, text, places) {
  const part = kind.parts[at];
  const fits = part?.choices.length ? part.choices.some((each) => each.text === text) : part && places.has(text);
  return fits ? [{ kind, written: written + part.before + text + part.after, at: at + 1 }] : [];
}

/** @type {(begun: Begun) => boolean} */
function isWhole({ kind, at }) {
  return at === kind.parts.length;
}

/** @type {(kind: Kind, part: Part, tap: (text: string) => void) => Node} */
function choicesOf(kind, { choices }, tap) {
  const buttons = choices.map(({ text, words }) => button(words, () => tap(text)));
  return make("div", { class: "row", role: "group", "aria-label": kind.words }, ...buttons);
}
