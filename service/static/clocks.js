/**
 * Clocks that tick on the page. The server tells how they stood at the last event and what time
 * it was when it told; the page only counts on from there, so a wrong clock of a phone does not
 * matter.
 */

import { clockText } from "./words.js";

let timer = 0;

/**
 * Show the clocks of a frame in the strip of players; `data` is what rides in it, or `null` for a
 * match without a clock. `tick` is called with the time on the server, in milliseconds.
 */
export function show(players, data, over, tick = () => {}) {
  clearInterval(timer);
  if (!data) return hide(players);
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

function hide(players) {
  for (const time of players.querySelectorAll(".time")) time.hidden = true;
}

function drawSeat(players, { seat, used, left, runs }, elapsed) {
  const time = players.querySelector(`li[data-seat="${seat}"] .time`);
  if (!time) return;
  const running = runs ? elapsed : 0;
  time.hidden = left === null;
  if (left === null) return;
  const rest = left - running;
  const text = clockText(rest);
  if (time.textContent !== text) time.textContent = text;
  time.classList.toggle("is-running", runs);
  time.classList.toggle("is-short", rest < 20000);
}
