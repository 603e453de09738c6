/**
 * Hands matches over to another Plybook. Its page opens in a window, says that it is ready, and
 * asks the person there; then it fetches one archive after the other from this page
 * (handed_over.js). So that server gets requests only from its own page, and need not trust any
 * other site.
 */

import { recall, remember } from "./device_memory.js";
import { find, onSubmit } from "./elements.js";
import { getText } from "./http.js";

const SERVER = "plybook.server";
/** How long a page may take to say that it is ready, in milliseconds. */
const PATIENCE = 20_000;

/**
 * Let the form of a page hand its matches over.
 *
 * @type {(page: HTMLElement) => void}
 */
export function handOver(page) {
  const form = find(page, "[data-part=hand-over]");
  const state = find(page, "[data-part=handed]");
  const field = /** @type {HTMLInputElement} */ (find(form, "input"));
  const matches = (form.dataset.matches ?? "").split(" ");
  field.value = recall(SERVER) ?? "";
  let stop = () => {};
  onSubmit(form, () => {
    stop();
    stop = send(field.value, matches, (words) => (state.textContent = words));
  });
}

/** @type {(address: string, matches: string[], say: (words: string) => void) => () => void} */
function send(address, matches, say) {
  const there = new URL("library/import#handover", serverOf(address));
  if (!/^https?:$/.test(there.protocol)) return say(`${address} is not a valid address of a server; use https://HOST/.`), () => {};
  const other = window.open(there, "_blank");
  if (!other) return say("This browser opened no window; let this page open windows, and send again."), () => {};
  remember(SERVER, address);
  say(`Opening ${there.origin} …`);
  let isOver = false;
  const late = setTimeout(() => say(`${there.origin} has not answered. Its page must be a Plybook that accepts matches; look at the window that opened.`), PATIENCE);
  const closed = setInterval(() => {
    if (!other.closed || isOver) return;
    say("The window was closed before all was handed over. Send again: matches already there do not change.");
    stop();
  }, 1000);
  function stop() {
    isOver = true;
    clearTimeout(late);
    clearInterval(closed);
    removeEventListener("message", answer);
  }
  /** @type {(event: MessageEvent) => Promise<void>} */
  async function answer({ origin, source, data }) {
    if (origin !== there.origin || !source) return;
    const back = { targetOrigin: origin };
    if (data?.handover === "ready") {
      clearTimeout(late);
      say("Go on in the window that opened.");
      source.postMessage({ handover: "offer", count: matches.length }, back);
    } else if (data?.handover === "fetch" && matches[data.index]) {
      say(`Handing over ${data.index + 1} of ${matches.length} …`);
      const content = await getText(`/matches/${matches[data.index]}/record?format=archive`).catch(() => "");
      source.postMessage({ handover: "archive", index: data.index, content }, back);
    } else if (data?.handover === "done") {
      say(data.failed ? `${data.failed} of ${matches.length} were refused; the other window says why.` : `${there.origin} has ${matches.length === 1 ? "the match" : `all ${matches.length} matches`}.`);
      stop();
    }
  }
  addEventListener("message", answer);
  return stop;
}

/** @type {(address: string) => string} */
function serverOf(address) {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/*$/, "/");
}
