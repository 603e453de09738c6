/** Circles, arrows and letters drawn on the board by tapping, kept when they are saved. */

import { mark, settle } from "./board.js";
import { attempt } from "./dialogs.js";
import { button, make } from "./elements.js";
import { drawOver } from "./marks.js";
import { post } from "./requests.js";

const KINDS = {
  circle: ["Circle", "Tap a place to circle it."],
  arrow: ["Arrow", "Tap where it begins, then where it ends."],
  label: ["Letter", "Tap a place to put the next letter on it."],
};
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Let the marks of the move that is shown be drawn. Whichever kind is chosen, a drag is an arrow. */
export function drawing(reading) {
  const { root, stage, desk, player, refresh } = reading;
  const { element } = player.here;
  const { match, ply } = element.dataset;
  const frame = stage.querySelector("article.frame");
  const there = marksOf(element);
  const fresh = [];
  let kind = "circle";
  let start = null;

  const redraw = () => {
    drawOver(frame, [...there, ...fresh]);
    mark(frame, { chosen: new Set(start ? [start] : []) });
    save.disabled = !fresh.length;
  };
  const add = (what) => {
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
  const labelled = (at) => {
    const again = fresh.findIndex((each) => each.kind === "label" && each.where.startsWith(`${at}=`));
    if (again >= 0) return fresh.splice(again, 1) && redraw();
    add({ kind, where: `${at}=${letter.value.trim() || nextLetter()}` });
    letter.value = "";
  };
  const tap = (at, thing) => {
    if (!thing.matches(".pb-cell")) return;
    if (kind === "circle") return add({ kind, where: at });
    if (kind === "label") return labelled(at);
    if (start && start !== at) add({ kind, where: `${start}-${at}` });
    start = start ? null : at;
    redraw();
  };
  const drag = (from, to) => {
    start = null;
    add({ kind: "arrow", where: `${from}-${to}` });
  };

  const hint = make("p", { class: "hint", role: "status" }, KINDS[kind][1]);
  const letter = make("input", { maxlength: 3, class: "letter", "aria-label": "Letter, or leave it to us", placeholder: "A", hidden: true });
  const kinds = Object.entries(KINDS).map(([name, [words]]) => button(words, () => choose(name), { "data-kind": name }));
  const choose = (name) => {
    [kind, start] = [name, null];
    for (const each of kinds) each.setAttribute("aria-pressed", String(each.dataset.kind === name));
    hint.textContent = `${KINDS[name][1]} A drag is always an arrow.`;
    letter.hidden = name !== "label";
    redraw();
  };
  const keep = async () => {
    const done = await attempt(panel, root.dataset.game, async () => {
      while (fresh.length) {
        await post(`/matches/${match}/annotations`, { ply: Number(ply), [fresh[0].kind]: fresh[0].where });
        there.push(fresh.shift());
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
    make("h2", { tabindex: "-1" }, "Draw on the board"),
    make("div", { class: "row", role: "group", "aria-label": "What to draw" }, ...kinds, letter),
    hint,
    make("div", { class: "row" }, save, button("Cancel", () => (reading.end(), player.refresh()))),
  );
  reading.begin("drawing", panel, { tap, drag });
  choose("circle");
  settle(frame);
  desk.querySelector("h2").focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

/** The marks that a stop of the list tells. */
function marksOf(element) {
  const marks = [...element.querySelectorAll("[data-mark]")].filter((each) => each.closest("[data-line]") === element);
  return marks.map(({ dataset }) => ({ kind: dataset.mark, where: dataset.where }));
}
