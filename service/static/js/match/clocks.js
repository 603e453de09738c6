/**
 * Clocks that tick on the page. The server sends how they stood at the last event and the time
 * then; the page only counts on from there, so a wrong clock of a phone does not matter.
 */

import { find } from "../shared/elements.js";

let timer = 0;

/**
 * Show the clocks of a frame in the strip of players. `tick` is called with the time on the server,
 * in milliseconds.
 *
 * @type {(players: HTMLElement, data: ClockData, over: boolean, tick?: (now: number) => void) => void}
 */
export function show(players, data, over, tick = () => {}) {
  clearInterval(timer);
  const told = performance.now();
  const draw = () => {
    const now = data.now + performance.now() - told;
    const elapsed = data.clocks.since === null || over ? 0 : Math.max(0, now - data.clocks.since);
    for (const seat of data.clocks.seats) drawSeat(players, seat, elapsed);
    tick(now);
  };
  draw();
  if (!over && data.clocks.since !== null) timer = setInterval(draw, 250);
}

/** @type {(players: HTMLElement, clock: SeatClock, elapsed: number) => void} */
function drawSeat(players, clock, elapsed) {
  const player = players.querySelector(`li[data-seat="${clock.seat}"]`);
  const showing = shown(clock, elapsed);
  if (!player || showing === null) return;
  const time = say(player, ".time", clockText(showing.left));
  say(player, ".phase", showing.note);
  time.classList.toggle("is-running", clock.running);
  time.classList.toggle("is-short", showing.left < 20000);
}

/**
 * Write a text into a part of a player, and hide the part if the text is empty.
 *
 * @type {(player: Element, part: string, text: string) => HTMLElement}
 */
function say(player, part, text) {
  const element = find(player, part);
  element.hidden = !text;
  if (element.textContent !== text) element.textContent = text;
  return element;
}

/**
 * Return the display of a clock at a time after the last event: its time, and its stage in words.
 * `null` means that there is no limit.
 *
 * @type {(clock: SeatClock, elapsed: number) => { left: number, note: string } | null}
 */
export function shown({ left, running, ahead = [] }, elapsed) {
  if (left === null) return null;
  const passed = running ? elapsed : 0;
  /** @type {ClockPhase} */
  const phase = ahead.filter(({ after }) => after <= passed).at(-1) ?? { after: 0, left };
  const since = passed - phase.after;
  const delay = phase.still ? `delay ${clockText(phase.still - since)}` : "";
  const note = [phase.words, delay].filter(Boolean).join(", ");
  return { left: phase.left - (phase.still ? 0 : since), note };
}

/**
 * Time left as people read it: 1:05, 59:59, 2:03:04.
 *
 * @type {(milliseconds: number) => string}
 */
function clockText(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, place) => (place ? String(part).padStart(2, "0") : part)).join(":");
}
