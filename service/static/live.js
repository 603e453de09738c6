/**
 * News of a match as it goes on: by the server's stream, and where that cannot be opened by
 * asking every few seconds.
 *
 *   follow(match, version, (version, beside) => …)
 *
 * tells of a version newer than what was told before, or that names and remarks have changed.
 */

const EVERY = 4000;
const PATIENCE = 3;

/** Tell of news until `close()` is called on what this returns. */
export function follow(match, version, tell) {
  return new Follower(match, version, tell);
}

class Follower {
  #match;
  #version;
  #tell;
  #stream = null;
  #failures = 0;
  #timer = 0;

  constructor(match, version, tell) {
    this.#match = match;
    this.#version = version;
    this.#tell = tell;
    this.#open();
    addEventListener("online", () => this.#again());
    document.addEventListener("visibilitychange", () => document.hidden || this.#again());
  }

  close() {
    this.#stream?.close();
    clearTimeout(this.#timer);
    this.#stream = null;
  }

  #open() {
    if (!("EventSource" in window)) return this.#poll();
    const stream = new EventSource(`/matches/${this.#match}/stream?after=${this.#version}`);
    this.#stream = stream;
    stream.onopen = () => (this.#failures = 0);
    for (const kind of ["logged", "standing"]) {
      stream.addEventListener(kind, (message) => this.#news(JSON.parse(message.data).version));
    }
    // Names and remarks change nothing about the version, but what is shown of it.
    stream.addEventListener("notes", () => this.#tell(this.#version, true));
    stream.onerror = () => this.#failed(stream);
  }

  /** The browser tries again by itself, unless the server said no for good. */
  #failed(stream) {
    this.#failures += 1;
    if (stream.readyState !== EventSource.CLOSED && this.#failures < PATIENCE) return;
    stream.close();
    this.#stream = null;
    this.#poll();
  }

  #poll() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      await this.#ask();
      this.#poll();
    }, EVERY);
  }

  async #ask() {
    try {
      const answer = await fetch(`/matches/${this.#match}/events?after=${this.#version}`);
      if (answer.ok) this.#news((await answer.json()).version);
    } catch {
      // Without a network there is no news; the next time may be better.
    }
  }

  /** Back on the network, or looked at again: a stream may have died without a word. */
  #again() {
    if (this.#stream?.readyState === EventSource.OPEN) return this.#ask();
    clearTimeout(this.#timer);
    this.#stream?.close();
    this.#failures = 0;
    this.#open();
    this.#ask();
  }

  #news(version) {
    if (version <= this.#version) return;
    this.#version = version;
    this.#tell(version);
  }
}
