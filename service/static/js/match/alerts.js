/**
 * What a device does beside its screen on the page of a match, if its person wants that: it buzzes
 * and sounds at a refusal and when its player is to move, and says each move aloud.
 */

import { recall, remember } from "../shared/device_memory.js";
import { find } from "../shared/elements.js";

const WANTED = "plybook.alerts";
/** The pitches of a sound, in hertz, and a buzz: its milliseconds on, off and on. */
const TURN = { pitches: [660, 880], buzz: [120, 60, 120] };
const REFUSAL = { pitches: [220], buzz: [60] };
/** The seconds between two pitches. */
const LENGTH = 0.14;

/** @typedef {"sound" | "speech"} Kind */

/** @type {{ [kind in Kind]?: boolean }} */
let wanted = recall(WANTED) ?? {};
/** @type {MutationObserver | null} */
let watching = null;
/** @type {AudioContext | null} */
let audio = null;

/** @type {(kind: Kind) => boolean} */
export function isWanted(kind) {
  return wanted[kind] === true;
}

/**
 * Remember on this device whether its person wants a kind of alert, and give an example of it.
 *
 * @type {(kind: Kind, yes: boolean) => void}
 */
export function want(kind, yes) {
  wanted = { ...wanted, [kind]: yes };
  remember(WANTED, Object.values(wanted).includes(true) ? wanted : null); // so that pages do not load this
  watchMatch();
  if (yes && kind === "sound") sound(TURN);
  if (kind === "speech") say(yes ? seen(find(document, "main.match")).words : "");
}

/** Alert from now on, on the page of a match. */
export function watchMatch() {
  const page = /** @type {HTMLElement | null} */ (document.querySelector("main.match"));
  if (!page || watching) return;
  let before = seen(page);
  watching = new MutationObserver(() => {
    const now = seen(page);
    if (isWanted("sound") && now.called && !before.called) sound(TURN);
    if (isWanted("sound") && now.refusal && now.refusal !== before.refusal) sound(REFUSAL);
    if (isWanted("speech") && now.version > before.version) say(now.words);
    before = now;
  });
  watching.observe(page, { childList: true, subtree: true });
  // Browsers let a page make sounds only after a tap on it.
  addEventListener("pointerdown", () => isWanted("sound") && unlock(), { once: true });
}

/**
 * Read what the page of a match shows: the version, whether the player of this device is to move,
 * the refusal, and the words of the last move and of the end.
 *
 * @type {(page: HTMLElement) => { version: number, called: boolean, refusal: string, words: string }}
 */
function seen(page) {
  const frame = find(page, "article.frame");
  const { version, awaited = "", over } = frame.dataset;
  const told = [...find(frame, ".told").childNodes].filter((each) => !(each instanceof HTMLElement && each.matches(".todo")));
  return {
    version: Number(version),
    called: awaited.split(",").includes(page.dataset.seat || "nobody"),
    refusal: page.querySelector(".refusal")?.textContent ?? "",
    words: [...told, over ? find(frame, ".standing") : null].map((part) => part?.textContent ?? "").join(" ").trim(),
  };
}

/** @type {(words: string) => void} */
function say(words) {
  if (!("speechSynthesis" in window)) return;
  const said = new SpeechSynthesisUtterance(words);
  said.lang = document.documentElement.lang;
  // A voice of the device itself needs no network.
  said.voice = speechSynthesis.getVoices().find((voice) => voice.localService && voice.lang.startsWith(said.lang)) ?? null;
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}

function unlock() {
  if (!("AudioContext" in window)) return null;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume().catch(() => {});
  return audio;
}

/** @type {(kind: typeof TURN) => void} */
function sound({ pitches, buzz }) {
  navigator.vibrate?.(buzz);
  const playing = unlock();
  if (!playing) return;
  for (const [place, pitch] of pitches.entries()) {
    const start = playing.currentTime + place * LENGTH;
    const tone = new OscillatorNode(playing, { frequency: pitch });
    const volume = new GainNode(playing, { gain: 0.2 });
    volume.gain.setTargetAtTime(0, start + LENGTH / 2, LENGTH / 4);
    tone.connect(volume).connect(playing.destination);
    tone.start(start);
    tone.stop(start + LENGTH * 2);
  }
}
