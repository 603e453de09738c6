/**
 * Clocks that tick on the page. The server sends how they stood at the last event and the time
 * then; the page only counts on from there, so a wrong clock of a phone does not matter.
 */

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
function drawSeat(players, { seat, left, running }, elapsed) {
  /** @type {HTMLElement | null} */
  const time = players.querySelector(`li[data-seat="${seat}"] .time`);
  if (!time) return;
  time.hidden = left === null;
  if (left === null) return;
  const rest = left - (running ? elapsed : 0);
  const text = clockText(rest);
  if (time.textContent !== text) time.textContent = text;
  time.classList.toggle("is-running", running);
  time.classList.toggle("is-short", rest < 20000);
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
