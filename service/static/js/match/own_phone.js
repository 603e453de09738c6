/** A player's own phone: it buzzes, and sounds if that is wanted, when it is the player's turn. */

const SOUND = "plybook.sound";
const BUZZ = [120, 60, 120];
/** The pitches of the sound, in hertz, and the length of each, in seconds. */
const PITCHES = [660, 880];
const LENGTH = 0.14;

/** @type {AudioContext | null} */
let audio = null;

/**
 * Return a function to call with every frame: it alerts the player when their turn begins. `toggle`
 * is the button that switches the sound on and off.
 *
 * @type {(seat: number, toggle: HTMLElement) => (frame: HTMLElement) => void}
 */
export function callPlayer(seat, toggle) {
  let before = true;
  show(toggle, wanted());
  toggle.addEventListener("click", () => {
    remember(!wanted());
    show(toggle, wanted());
    if (wanted()) sound();
  });
  // Browsers let a page make sounds only after a tap on it.
  addEventListener("pointerdown", () => wanted() && unlock(), { once: true });
  return (frame) => {
    const now = (frame.dataset.awaited ?? "").split(",").includes(String(seat));
    if (now && !before) {
      navigator.vibrate?.(BUZZ);
      if (wanted()) sound();
    }
    before = now;
  };
}

/** @type {(toggle: HTMLElement, on: boolean) => void} */
function show(toggle, on) {
  toggle.setAttribute("aria-pressed", String(on));
  toggle.title = on ? "Sound at your turn: on" : "Sound at your turn: off";
}

function wanted() {
  try {
    return localStorage.getItem(SOUND) === "on";
  } catch {
    return on;
  }
}

/** The choice in a browser that stores nothing. */
let on = false;

/** @type {(yes: boolean) => void} */
function remember(yes) {
  on = yes;
  try {
    localStorage.setItem(SOUND, yes ? "on" : "off");
  } catch {
    // The choice is lost with the page.
  }
}

function unlock() {
  if (!("AudioContext" in window)) return null;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume().catch(() => {});
  return audio;
}

function sound() {
  const playing = unlock();
  if (!playing) return;
  for (const [place, pitch] of PITCHES.entries()) {
    const start = playing.currentTime + place * LENGTH;
    const tone = new OscillatorNode(playing, { frequency: pitch });
    const volume = new GainNode(playing, { gain: 0.2 });
    volume.gain.setTargetAtTime(0, start + LENGTH / 2, LENGTH / 4);
    tone.connect(volume).connect(playing.destination);
    tone.start(start);
    tone.stop(start + LENGTH * 2);
  }
}
