/**
 * A match on a large screen: it follows the moves and the rematch, and writes the last move as
 * large as it fits. It may take turns with other boards.
 */

import { MatchView } from "./match/match_view.js";
import { followRematch } from "./match/next_match.js";
import { find } from "./shared/elements.js";
import { prefix } from "./shared/prefix.js";
import { takeTurns } from "./shared/turns.js";

const SIZES = [3.4, 3, 2.6, 2.2, 1.9, 1.6];
const PARTS = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4];

const root = find(document, "main.tv");

/**
 * Give the last move the largest type that keeps it on one line; a text too long for the smallest
 * type wraps.
 *
 * @type {() => void}
 */
function fitLine() {
  const line = find(root, ".told");
  root.classList.remove("is-long");
  const fits = SIZES.some((size) => {
    root.style.setProperty("--tv-line", `${size}rem`);
    return line.scrollWidth <= line.clientWidth;
  });
  root.classList.toggle("is-long", !fits);
  root.style.setProperty("--told", `${line.offsetHeight}px`); // the board yields to it
}

/** Give the players and the parts beside the board the largest type that cuts nothing off. */
function fitBeside() {
  const beside = find(root, ".beside");
  const isWhole = () => beside.scrollHeight <= beside.clientHeight && root.scrollHeight <= root.clientHeight;
  PARTS.some((part) => (root.style.setProperty("--fit", `${part}`), isWhole()));
}

function fit() {
  fitLine();
  fitBeside();
}

/** @type {(frame: HTMLElement) => void} */
function shown(frame) {
  fit();
  const { match, turns } = root.dataset;
  followRematch(frame, `${prefix}/m/${match}/next?tv=true${turns ? `&${turns}` : ""}`);
}

const full = find(root, "[data-full]");
full.hidden = !document.fullscreenEnabled;
full.addEventListener("click", () => document.documentElement.requestFullscreen());
document.addEventListener("fullscreenchange", () => (full.hidden = document.fullscreenElement !== null));

new MatchView(root, { shown }).follow();
addEventListener("resize", fit);

const { following, seconds } = root.dataset;
if (following) takeTurns(following, Number(seconds));

/** A screen that shows a match stays lit, if the browser lets a page decide that. */
function stayAwake() {
  if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
}
stayAwake();
document.addEventListener("visibilitychange", stayAwake);
