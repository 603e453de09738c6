/** A tool to draw circles, arrows and letters on the board by tapping. */

import { setTabStop, showStates } from "../board/tappable_board.js";
import { attempt } from "../shared/dialogs.js";
import { button, find, make } from "../shared/elements.js";
import { drawOver, marksOf } from "../board/annotation_marks.js";
import { post } from "../shared/http.js";

/** @type {Record<string, [string, string]>} */
const KINDS = {
  circle: ["Circle", "Tap a place to circle it."],
  arrow: ["Arrow", "Tap where it begins, then where it ends."],
  label: ["Letter", "Tap a place to put the next letter on it."],
};
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * Open the tool for the move that is shown. A drag draws an arrow, whatever kind of mark is chosen.
 *
 * @type {(reading: ModalReading) => void}
 */
export function startDrawing(reading) {
  const { root, stage, desk, player, refresh } = reading;
  const { element } = player.here;
  const { match, ply } = element.dataset;
  const frame = find(stage, "article.frame");
  const there = marksOf(element);
  /** @type {Mark[]} */
  const fresh = [];
  let kind = "circle";
  /** @type {string | null} */
  let start = null;

  const redraw = () => {
    drawOver(frame, [...there, ...fresh]);
    showStates(frame, { chosen: new Set(start ? [start] : []) });
    save.disabled = !fresh.length;
  };
  /** @type {(what: Mark) => void} */
  const add = (what) => {
    /** @type {(each: Mark) => boolean} */
    const same = (each) => each.kind === what.kind && each.where === what.where;
    const again = fresh.findIndex(same);
    if (again >= 0) fresh.splice(again, 1);
    else if (!there.some(same)) fresh.push(what);
    redraw();
  };
  const nextLetter = () => {
    const used = new Set([...there, ...fresh].filter((each) => each.kind === "label").map(({ where }) => where.split("=")[1]));
    return [...LETTERS].find((letter) => !used.has(letter)) ?? "Z";
  };
  /** @type {(at: string) => void} */
  const addLabel = (at) => {
    const again = fresh.findIndex((each) => each.kind === "label" && each.where.startsWith(`${at}=`));
    if (again >= 0) {
      fresh.splice(again, 1);
      return redraw();
    }
    add({ kind, where: `${at}=${letter.value.trim() || nextLetter()}` });
    letter.value = "";
  };
  /** @type {BoardMode["tap"]} */
  const tap = (at, thing) => {
    if (!thing.matches(".pb-cell")) return;
    if (kind === "circle") return add({ kind, where: at });
    if (kind === "label") return addLabel(at);
    if (start && start !== at) add({ kind, where: `${start}-${at}` });
    start = start ? null : at;
    redraw();
  };
  /** @type {(from: string, to: string) => void} */
  const drag = (from, to) => {
    start = null;
    add({ kind: "arrow", where: `${from}-${to}` });
  };

  const hint = make("p", { class: "hint", role: "status" }, KINDS[kind][1]);
  const letter = make("input", { maxlength: 3, class: "letter", "aria-label": "A letter (empty: the next one)", placeholder: "A", hidden: true });
  const kinds = Object.entries(KINDS).map(([name, [words]]) => button(words, () => choose(name), { "data-kind": name }));
  /** @type {(name: string) => void} */
  const choose = (name) => {
    [kind, start] = [name, null];
    for (const each of kinds) each.setAttribute("aria-pressed", String(each.dataset.kind === name));
    hint.textContent = `${KINDS[name][1]} A drag is always an arrow.`;
    letter.hidden = name !== "label";
    redraw();
  };
  const keep = async () => {
    const done = await attempt(panel, root.dataset.game ?? "", async () => {
      while (fresh.length) {
        await post(`/matches/${match}/annotations`, { ply: Number(ply), [fresh[0].kind]: fresh[0].where });
        there.push(...fresh.splice(0, 1));
      }
    });
    if (!done) return redraw();
    reading.end();
    await refresh();
  };
  const save = button("Save", keep, { class: "button" });
  const panel = make(
    "div",
    { class: "panel" },
    make("h2", { tabindex: "-1" }, "Arrows on the board"),
    make("div", { class: "row", role: "group", "aria-label": "What to draw" }, ...kinds, letter),
    hint,
    make("div", { class: "row" }, save, button("Cancel", () => (reading.end(), player.refresh()))),
  );
  reading.begin("drawing", panel, { tap, drag });
  choose("circle");
  setTabStop(frame);
  find(desk, "h2").focus({ preventScroll: true });
  scrollTo({ top: 0 });
}
