/**
 * A board drawn from what was entered, without the rules: picked things are put on the place of the
 * last tap; without picked things, the piece on the first place moves there. The rest stays as it
 * was.
 */

import { copyOf, dataOf } from "../board/frames.js";
import { find, findAll, makeSvg } from "../shared/elements.js";
import { nameOf, sentence } from "../shared/words.js";

/** How much higher a piece is drawn for each piece under it. */
const STEP = 14;
/** How far the foot of a piece is above the lower edge of its place. */
const BASE = 4.5;

/**
 * Return a copy of a board after an unjudged move; `ends` says whether the move ends the turn, if
 * that is known.
 *
 * @type {(before: HTMLElement, item: OutboxItem, ends: boolean | null) => HTMLElement}
 */
export function sketch(before, { seat, picks, words }, ends) {
  const frame = copyOf(before);
  /** @type {Controls} */
  const controls = dataOf(frame, "record-controls");
  // A game with secret moves goes on only where the server has judged them.
  if (!controls.unguided) return before;
  const mover = seat ?? Number(frame.dataset.awaited?.split(",")[0]);
  draw(frame, picks ?? [], mover);
  const { playing, names } = controls;
  const next = ends === null ? null : ends ? playing[(playing.indexOf(mover) + 1) % playing.length] : mover;
  frame.dataset.awaited = String(next ?? "");
  const facts = { ...controls, ply: controls.ply + 1, seats: [] };
  find(frame, "script.record-controls").textContent = JSON.stringify(facts);
  find(frame, ".standing").textContent = next ? `${nameOf(names, next)} is to move` : "Go on";
  find(frame, ".told").textContent = `${sentence(words).slice(0, -1)}: drawn as it was entered`;
  passTurn(frame, next);
  return frame;
}

/** @type {(frame: HTMLElement, next: number | null) => void} */
function passTurn(frame, next) {
  /** @type {HTMLTemplateElement} */
  const strip = find(frame, "template.strip");
  for (const player of findAll(strip.content, "[data-seat]")) {
    const awaited = Number(player.dataset.seat) === next;
    player.classList.toggle("is-awaited", awaited);
    if (awaited) player.setAttribute("aria-current", "true");
    else player.removeAttribute("aria-current");
  }
}

/** @type {(frame: HTMLElement, picks: string[], seat: number) => void} */
function draw(frame, picks, seat) {
  const cells = picks.map((at) => frame.querySelector(`.board .pb-cell[data-at="${CSS.escape(at)}"]`));
  const places = cells.filter((cell) => cell !== null);
  const to = places.at(-1);
  const things = picks.filter((_, place) => !cells[place]);
  if (!to) return;
  for (const thing of things) put(to, whole(frame, to, `${thing}${seat}`) ?? whole(frame, to, thing));
  if (!things.length && places[0] !== to) carry(frame, places[0], to);
}

/**
 * Move a whole nest, or the top piece of a stack, from one place to another.
 *
 * @type {(frame: HTMLElement, from: Element, to: Element) => void}
 */
function carry(frame, from, to) {
  const top = lastIn(from);
  const moved = from.querySelector(".pb-nest") ? groupsOf(from) : top ? [top] : [];
  for (const each of moved) put(to, each === top ? whole(frame, to, top.dataset.piece ?? "") : copyOf(each));
  for (const each of moved) each.remove();
}

/** @type {(cell: Element, drawn: Element | null) => void} */
function put(cell, drawn) {
  if (!drawn) return;
  const held = findAll(cell, ".pb-piece").length;
  const sign = cell.querySelector(":scope > .pb-dot");
  cell.insertBefore(makeSvg("g", { transform: `translate(0 ${-STEP * held})` }, drawn), sign);
}

/**
 * Copy a piece onto a place, from where it is drawn whole: on top of others, or as a supply.
 *
 * @type {(frame: HTMLElement, to: Element, kind: string) => Element | null}
 */
function whole(frame, to, kind) {
  const alike = findAll(frame, `.pb-piece[data-piece="${CSS.escape(kind)}"]`);
  const piece = alike.find((each) => !each.closest(".pb-nest") && each === lastIn(each.closest(".board .pb-cell, .pb-pick")));
  if (!piece) return null;
  const hit = find(to, ".pb-hit");
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(hit.getAttribute(name)));
  // The pieces on a place that is no rectangle are drawn around its middle, as the place is.
  const at = hit.nodeName === "rect" ? `translate(${x + width / 2} ${y + height - BASE})` : "";
  const scale = piece.closest("[transform^=scale]")?.getAttribute("transform") ?? "";
  return makeSvg("g", { transform: `${at} ${scale}` }, copyOf(piece));
}

/** @type {(holder: Element | null) => HTMLElement | undefined} */
function lastIn(holder) {
  return holder ? findAll(holder, ".pb-piece").at(-1) : undefined;
}

/** @type {(cell: Element) => Element[]} */
function groupsOf(cell) {
  return [...cell.children].filter((each) => each.matches(".pb-piece") || each.querySelector(".pb-piece"));
}
