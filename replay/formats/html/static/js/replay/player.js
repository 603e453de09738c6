/**
 * Plays a sequence of pictures. It knows pictures and the list that describes them, and no games.
 *
 * `new Player(root, picture)` brings a page to life that can be read without it. `root` names with
 * data-opened the stop to begin at, unless the address does. Inside it are
 *
 *   [data-player=board]     holds the picture
 *   [data-player=controls]  hidden until now; buttons with data-go, a slider, a choice of speeds
 *   [data-player=caption]   where the stop that is shown is described
 *   [data-player=count]     "12 / 50"
 *   [data-player=brief]     the move, in a line
 *   [data-player=list]      whose elements with data-line are the stops, in order: `id` is the
 *                           stop's name in the address (#12), `data-line` the line it belongs to,
 *                           `data-turn` the turn that begins there, `data-after` at the first of
 *                           a variation the id of the stop that it goes on from, `data-steps` how
 *                           many pictures lead there, none by default, `data-notable` that it is
 *                           worth going to
 *
 * Pictures are numbered from 0 in the order of the stops: the steps to a stop, then its own.
 * `picture(number, element, step)` returns a picture, or a promise of it: its markup, if no
 * `put(board, picture, { element, step })` says otherwise; `step` is none for the stop's own.
 * `root` gets the event "going" and, when the picture is there, "shown". `unpack(text)` gives such
 * a function for pictures that `replay/formats/html/player_page.py` has packed.
 */

/** @typedef {(number | number[])[]} Edit how many parts stay, or how many go and which come */
/** @typedef {{ element: HTMLElement, step?: number, ends: boolean, rate: number }} Shown */
/** @typedef {(number: number, element: HTMLElement, step?: number) => any} Picture */
/** @typedef {(board: HTMLElement, picture: any, shown: Shown) => void} Put */
/** @typedef {ReturnType<typeof stopsOf>[number]} Stop */

const RATES = [0.5, 1, 2, 4, 8];

/**
 * Restore packed pictures: each is a list of parts, packed as an edit of the previous picture.
 *
 * @type {(text: string) => Promise<Picture>}
 */
export async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const { parts, pictures } = await new Response(inflated).json();
  /** @type {number[]} */
  let now = [];
  const lists = pictures.map((/** @type {Edit} */ edit) => (now = applied(edit, now)));
  return (/** @type {number} */ number) => lists[number].map((/** @type {number} */ part) => parts[part]).join("");
}

/** @type {(edit: Edit, before: number[]) => number[]} */
function applied(edit, before) {
  /** @type {number[]} */
  const now = [];
  let place = 0;
  for (const step of edit) {
    if (typeof step === "number") {
      now.push(...before.slice(place, (place += step)));
    } else {
      now.push(...step.slice(1));
      place += step[0];
    }
  }
  return now;
}

/** @type {Put} */
function putMarkup(board, markup) {
  board.innerHTML = markup;
}

export class Player {
  #root;
  #picture;
  #put;
  #stops;
  #at = 0;
  #number = 0;
  #timer = 0;
  #rate = 1;

  /**
   * @param {HTMLElement} root
   * @param {Picture} picture
   * @param {Put} [put]
   */
  constructor(root, picture, put = putMarkup) {
    this.#root = root;
    this.#picture = picture;
    this.#put = put;
    this.#stops = stopsOf(this.#part("list"));
    this.#part("controls").hidden = false;
    this.#listen();
    const asked = this.#asked();
    this.show(Math.max(0, asked < 0 ? this.#place(root.dataset.opened ?? "") : asked));
    // The browser has scrolled to the stop in the list, but people want to see the board.
    if (asked >= 0) window.scrollTo(0, 0);
  }

  /**
   * Show a stop; with `number`, a picture that leads to it.
   *
   * @type {(at: number, number?: number) => Promise<void>}
   */
  async show(at, number = this.#stops[at].last) {
    this.#at = at;
    this.#number = number;
    this.#describe();
    const where = this.here;
    this.#root.dispatchEvent(new CustomEvent("going", { detail: where }));
    const drawn = await this.#picture(number, where.element, where.step);
    // A picture that comes late must not replace a later one.
    if (number !== this.#number || this.#stops[this.#at]?.element !== where.element) return;
    this.#put(this.#part("board"), drawn, where);
    this.#root.dispatchEvent(new CustomEvent("shown", { detail: where }));
  }

  /**
   * The shown stop: its element, the step that is shown on the way to it (none: the stop itself),
   * whether the line ends there, and whether the player is running.
   *
   * @returns {Shown}
   */
  get here() {
    const stop = this.#stops[this.#at];
    const step = this.#number < stop.last ? this.#number - stop.first : undefined;
    const ends = stop.next < 0 && step === undefined;
    return { element: stop.element, step, ends, rate: this.#timer ? this.#rate : 0 };
  }

  /**
   * The elements of the stops that are `far` or less steps away on the line that is shown.
   *
   * @type {(far: number) => HTMLElement[]}
   */
  around(far) {
    const path = this.#path(this.#at);
    const place = path.indexOf(this.#at);
    const near = path.slice(Math.max(0, place - far), place + far + 1);
    return near.map((at) => this.#stops[at].element);
  }

  /** Scroll the list so that the shown stop is visible. */
  reveal() {
    this.#mark(this.#stops[this.#at]);
  }

  /** Read a list that has changed; show the same stop again if it is still there. */
  refresh() {
    const id = this.#stops[this.#at].id;
    this.#stops = stopsOf(this.#part("list"));
    const same = this.#place(id);
    return this.show(same < 0 ? this.#mainEnd() : same);
  }

  /**
   * Go to the stop with a name. Return whether there is such a stop.
   *
   * @type {(id: string) => boolean}
   */
  visit(id) {
    const at = this.#place(id);
    return at >= 0 && this.#go(at);
  }

  /**
   * Go to the next (1) or previous (-1) picture. Return whether there is such a stop.
   *
   * @type {(by: number) => boolean}
   */
  step(by) {
    const stop = this.#stops[this.#at];
    const number = this.#number + by;
    if (by > 0 && number <= stop.last) return this.#go(this.#at, number);
    if (by < 0 && number >= stop.first) return this.#go(this.#at, number);
    const other = by > 0 ? stop.next : stop.previous;
    if (other < 0) return false;
    return this.#go(other, by > 0 ? this.#stops[other].first : this.#stops[other].last);
  }

  /**
   * Go to the beginning of the next turn, of this turn, or of the previous turn.
   *
   * @type {(by: number) => void}
   */
  turn(by) {
    const path = this.#path(this.#at);
    const turns = path.map((at) => this.#stops[at].turn);
    const here = path.indexOf(this.#at);
    if (by > 0) {
      const next = turns.findIndex((turn, place) => place > here && turn > turns[here]);
      this.#go(path[next < 0 ? path.length - 1 : next]);
    } else if (here > 0) {
      this.#go(path[turns.indexOf(turns[here - 1])]);
    }
  }

  /**
   * Go to the next (1) or previous (-1) notable event, or to the end of the line.
   *
   * @type {(by: number) => void}
   */
  event(by) {
    const path = this.#path(this.#at);
    const here = path.indexOf(this.#at);
    const there = by > 0 ? path.slice(here + 1) : path.slice(0, here).reverse();
    const found = there.find((at) => this.#stops[at].notable);
    if (there.length) this.#go(found ?? there[there.length - 1]);
  }

  /**
   * Go to the start (-1) or to the end (1) of the line.
   *
   * @type {(by: number) => void}
   */
  end(by) {
    const path = this.#path(this.#at);
    this.#go(path[by > 0 ? path.length - 1 : 0]);
  }

  /** Start or stop playing; at the end of the line, start from its beginning. */
  toggle() {
    if (this.#timer) return this.#pause();
    const stop = this.#stops[this.#at];
    if (stop.next < 0 && this.#number === stop.last) this.end(-1);
    this.#timer = setInterval(() => this.step(1) || this.#pause(), 1000 / this.#rate);
    this.#state();
  }

  /**
   * Play faster (1) or slower (-1).
   *
   * @type {(by: number) => void}
   */
  faster(by) {
    const place = RATES.indexOf(this.#rate) + by;
    this.#speed(RATES[Math.min(RATES.length - 1, Math.max(0, place))]);
  }

  /** @type {(rate: number) => void} */
  #speed(rate) {
    this.#rate = rate;
    this.#field("speed").value = String(rate);
    if (this.#timer) {
      this.#pause();
      this.toggle();
    }
  }

  #pause() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#state();
  }

  /** @type {(at: number, number?: number) => boolean} */
  #go(at, number) {
    this.show(at, number);
    return true;
  }

  /**
   * The stops from the start through this one to the end of its line.
   *
   * @type {(at: number) => number[]}
   */
  #path(at) {
    const path = [];
    for (let stop = at; stop >= 0; stop = this.#stops[stop].previous) path.unshift(stop);
    for (let stop = this.#stops[at].next; stop >= 0; stop = this.#stops[stop].next) path.push(stop);
    return path;
  }

  #mainEnd() {
    const main = this.#stops.filter((stop) => stop.element.dataset.line === "");
    return this.#stops.indexOf(main[main.length - 1]);
  }

  #asked() {
    return this.#place(decodeURIComponent(location.hash.slice(1)));
  }

  /** @type {(id: string) => number} */
  #place(id) {
    return this.#stops.findIndex((stop) => stop.id === id);
  }

  /** @type {(name: string) => HTMLElement} */
  #part(name) {
    return found(this.#root.querySelector(`[data-player=${name}]`));
  }

  /** @type {(name: string) => HTMLInputElement} */
  #field(name) {
    return /** @type {any} */ (this.#part(name));
  }

  /** Describe the stop that is shown in all places of the page. */
  #describe() {
    const stop = this.#stops[this.#at];
    const path = this.#path(this.#at);
    const place = path.indexOf(this.#at);
    const steps = stop.last - stop.first;
    const step = this.#number < stop.last ? ` · step ${this.#number - stop.first + 1} of ${steps}` : "";
    this.#part("count").textContent = `${place} / ${path.length - 1}${step}`;
    const copy = copyOf(stop.element);
    this.#part("brief").textContent = [...copy.querySelectorAll("a, abbr, .words")]
      .map((part) => part.textContent)
      .join(" ");
    tellFirst(copy, numberOf(stop.element));
    this.#part("caption").replaceChildren(...copy.childNodes);
    const slider = this.#field("slider");
    slider.max = String(path.length - 1);
    slider.value = String(place);
    slider.setAttribute("aria-valuetext", linkOf(stop.element).textContent ?? "");
    this.#mark(stop);
    remember(stop.id);
  }

  /**
   * Mark the stop in the list, and scroll to it if the list has its own scroll bar.
   *
   * @type {(stop: Stop) => void}
   */
  #mark(stop) {
    const list = this.#part("list");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    linkOf(stop.element).setAttribute("aria-current", "step");
    // On a phone the page is not laid out for this.
    if (getComputedStyle(list).overflowY === "visible") return;
    const line = linkOf(stop.element).getBoundingClientRect();
    const box = list.getBoundingClientRect();
    if (line.top < box.top + 40 || line.bottom > box.bottom - 40) {
      list.scrollTop += line.top - box.top - box.height / 2;
    }
  }

  #state() {
    const button = found(this.#part("controls").querySelector("[data-go=toggle]"));
    button.setAttribute("aria-label", this.#timer ? "Pause" : "Play");
    button.classList.toggle("playing", this.#timer !== 0);
    // A caption that changes every second is not read out.
    this.#part("caption").setAttribute("aria-live", this.#timer ? "off" : "polite");
  }

  /** Show the keys that are seldom needed, or hide them. */
  #unfold() {
    const open = this.#part("controls").classList.toggle("is-open");
    found(this.#part("controls").querySelector("[data-go=more]")).setAttribute("aria-expanded", String(open));
  }

  #listen() {
    this.#part("controls").addEventListener("click", (event) => {
      const { go } = targetOf(event).closest("[data-go]")?.dataset ?? {};
      if (go) this.#do(go);
    });
    this.#part("slider").addEventListener("input", () => {
      this.#go(this.#path(this.#at)[Number(this.#field("slider").value)]);
    });
    this.#part("speed").addEventListener("change", () => {
      this.#speed(Number(this.#field("speed").value));
    });
    this.#part("list").addEventListener("click", (event) => {
      const chosen = targetOf(event).closest("a")?.closest("[data-line]");
      if (!chosen) return;
      event.preventDefault();
      this.#go(this.#stops.findIndex((stop) => stop.element === chosen));
      // The element around the board may have no box.
      const board = this.#part("board").querySelector(".board, svg") ?? this.#part("board");
      if (board.getBoundingClientRect().top < 0) board.scrollIntoView();
    });
    window.addEventListener("hashchange", () => {
      const asked = this.#asked();
      if (asked >= 0 && asked !== this.#at) this.#go(asked);
    });
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @type {(event: KeyboardEvent) => void} */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = targetOf(event);
    if (target.closest("dialog, [data-keys=own]")) return;
    if (target.matches("select, textarea, input:not([type=range])")) return;
    // Space presses the control that has the focus.
    if (event.key === " " && target.matches("button, a, summary")) return;
    const action = KEYS[(event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "") + event.key];
    if (!action) return;
    event.preventDefault();
    this.#do(action);
  }

  /** @type {(action: string) => void} */
  #do(action) {
    /** @type {Record<string, () => void>} */
    const actions = {
      toggle: () => this.toggle(),
      next: () => this.step(1),
      previous: () => this.step(-1),
      nextturn: () => this.turn(1),
      previousturn: () => this.turn(-1),
      nextevent: () => this.event(1),
      previousevent: () => this.event(-1),
      first: () => this.end(-1),
      last: () => this.end(1),
      faster: () => this.faster(1),
      slower: () => this.faster(-1),
      more: () => this.#unfold(),
    };
    actions[action]();
  }
}

/** @type {Record<string, string>} */
const KEYS = {
  " ": "toggle",
  ArrowRight: "next",
  ArrowLeft: "previous",
  "Shift+ArrowRight": "nextturn",
  "Shift+ArrowLeft": "previousturn",
  n: "nextturn",
  p: "previousturn",
  ".": "nextevent",
  ",": "previousevent",
  Home: "first",
  End: "last",
  "+": "faster",
  "-": "slower",
};

/** Read the stops of a list. */
function stopsOf(/** @type {HTMLElement} */ list) {
  /** @type {Map<string, number>} */
  const places = new Map();
  /** @type {Map<string, number>} */
  const ends = new Map();
  const stops = [];
  let pictures = 0;
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[data-line]"))) {
    const { line = "", turn, after = "", steps } = element.dataset;
    const place = stops.length;
    const before = ends.get(line);
    const first = pictures;
    const last = first + Number(steps ?? 0);
    const previous = before ?? places.get(after) ?? -1;
    const notable = "notable" in element.dataset;
    const links = { previous, next: -1 };
    stops.push({ element, id: element.id, turn: Number(turn), notable, first, last, ...links });
    if (before !== undefined) stops[before].next = place;
    places.set(element.id, place);
    ends.set(line, place);
    pictures = last + 1;
  }
  return stops;
}

/**
 * Copy the description of a stop from the list, without the variations there.
 *
 * @type {(element: HTMLElement) => HTMLElement}
 */
function copyOf(element) {
  const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
  copy.querySelectorAll("[data-variation]").forEach((variation) => variation.remove());
  copy.querySelectorAll("[aria-current]").forEach((link) => link.removeAttribute("aria-current"));
  copy.querySelectorAll("[id]").forEach((part) => part.removeAttribute("id"));
  return copy;
}

/**
 * Return the number of the turn that a stop belongs to, with a full stop; "" at the start.
 *
 * @type {(stop: HTMLElement) => string}
 */
export function numberOf(stop) {
  return /^\d+\./.exec(stop.closest(".turn")?.querySelector(".who")?.textContent ?? "")?.[0] ?? "";
}

/**
 * Put the words of a stop, with the number of its turn, before its notation.
 *
 * @type {(copy: HTMLElement, number: string) => void}
 */
function tellFirst(copy, number) {
  const words = copy.querySelector(":scope > .words");
  const first = words?.firstChild;
  if (!words || !first?.textContent) return;
  // A square keeps its small letter.
  const sentence = first.textContent.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
  first.textContent = `${number} ${sentence}`;
  copy.prepend(words, " ");
}

/** @type {<T extends Element>(element: T | null) => HTMLElement} */
function found(element) {
  if (!element) throw new Error("a part of the player is missing");
  return /** @type {any} */ (element);
}

/** @type {(stop: HTMLElement) => HTMLElement} */
function linkOf(stop) {
  return found(stop.querySelector("a"));
}

/** @type {(event: Event) => Element} */
function targetOf({ target }) {
  return target instanceof Element ? target : document.documentElement;
}

/** @type {(id: string) => void} */
function remember(id) {
  try {
    history.replaceState(null, "", `#${id}`);
  } catch {
    // Some viewers show a file without an address of its own.
  }
}
