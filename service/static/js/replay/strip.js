/** The moves of the shown line, as a strip above the player, each with the score after it. */

import { around, find, findAll, make } from "../shared/elements.js";
import { numberOf } from "./player.js";

/**
 * Show the strip and keep it at the move that is shown. The list below says the same to screen readers.
 *
 * @type {(root: HTMLElement, player: import("./player.js").Player) => void}
 */
export function showStrip(root, player) {
  const strip = make("div", { class: "strip", "aria-hidden": "true" });
  find(root, "[data-player=controls]").prepend(strip);
  strip.addEventListener("click", (event) => {
    const { stop } = around(event, "[data-stop]")?.dataset ?? {};
    if (stop) player.visit(stop);
  });
  let shown = "";
  const draw = () => {
    const line = player.around(Infinity);
    const ids = line.map(({ id }) => id).join(" ");
    if (ids !== shown) strip.replaceChildren(...line.map(chip));
    shown = ids;
    const { id } = player.here.element;
    for (const each of findAll(strip, "[data-stop]")) each.classList.toggle("is-here", each.dataset.stop === id);
    requestAnimationFrame(centre);
  };
  const centre = () => {
    const here = find(strip, ".is-here");
    strip.scrollLeft = here.offsetLeft - (strip.clientWidth - here.offsetWidth) / 2;
  };
  root.addEventListener("going", draw);
  draw();
}

/** @type {(stop: HTMLElement, place: number, line: HTMLElement[]) => HTMLElement} */
function chip(stop, place, line) {
  const [before, number] = [line[place - 1], stop].map((each) => (each ? numberOf(each) : ""));
  const written = stop.dataset.short || (find(stop, "a").textContent ?? "");
  return make("span", { "data-stop": stop.id }, make("b", {}, number === before ? written : `${number} ${written}`), make("small", {}, stop.dataset.score ?? ""));
}
