/**
 * Plays a sequence of pictures. It knows pictures and the list that tells of them, and no games.
 *
 * `play(root, picture)` brings a page to life that can be read without it. `root` names with
 * data-opened the stop to begin at, unless the address does. Inside it are
 *
 *   [data-player=board]     holds the picture
 *   [data-player=controls]  hidden until now; buttons with data-go, a slider, a choice of speeds
 *   [data-player=caption]   where the place that is shown is told
 *   [data-player=count]     "12 / 50"
 *   [data-player=brief]     what happened, in a line
 *   [data-player=list]      whose elements with data-line are the stops, in order: `id` is the
 *                           stop's name in the address (#12), `data-line` the line it belongs to,
 *                           `data-turn` the turn that begins there, `data-after` at the first of
 *                           a variation the id of the stop that it goes on from, `data-steps` how
 *                           many pictures lead there, none by default, `data-notable` that it is
 *                           worth going to
 *
 * Pictures are numbered from 0 in the order of the stops: the steps to a stop, then its own.
 * `picture(number, element, step)` gives a picture, or a promise of it: its markup, if no
 * `put(board, picture, { element, step })` says otherwise; `step` is none for the stop's own.
 * The player tells `root` of "going" and, when the picture is there, "shown".
 * `unpack(text)` gives such a function for what `replay/formats/html/frame_packing.py` has packed.
 */

const RATES = [0.5, 1, 2, 4, 8];

/** Restore packed pictures: each is a list of parts, told as an edit of the one before. */
export async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const { parts, pictures } = await new Response(inflated).json();
  let now = [];
  const lists = pictures.map((edit) => (now = applied(edit, now)));
  return (number) => lists[number].map((part) => parts[part]).join("");
}

function applied(edit, before) {
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

/** Make a page playable. Returns the player. */
export function play(root, picture, put = putMarkup) {
  return new Player(root, picture, put);
}

function putMarkup(board, markup) {
  board.innerHTML = markup;
}

class Player {
  #root;
  #picture;
  #put;
  #stops;
  #at = 0;
  #number = 0;
  #timer = 0;
  #rate = 1;

  constructor(root, picture, put) {
    this.#root = root;
    this.#picture = picture;
    this.#put = put;
    this.#stops = stopsOf(this.#part("list"));
    this.#part("controls").hidden = false;
    this.#listen();
    const asked = this.#asked();
    this.show(Math.max(0, asked < 0 ? this.#place(root.dataset.opened) : asked));
    // The browser has gone to the stop in the list; the board is what was asked for.
    if (asked >= 0) window.scrollTo(0, 0);
  }

  /** Show a stop, or one of the pictures on the way to it. */
  async show(at, number = this.#stops[at].last) {
    this.#at = at;
    this.#number = number;
    this.#tell();
    const where = this.here;
    this.#root.dispatchEvent(new CustomEvent("going", { detail: where }));
    const drawn = await this.#picture(number, where.element, where.step);
    // A picture that comes late must not replace a later one.
    if (number !== this.#number || this.#stops[this.#at]?.element !== where.element) return;
    this.#put(this.#part("board"), drawn, where);
    this.#root.dispatchEvent(new CustomEvent("shown", { detail: where }));
  }

  /** What is shown: the element of the stop, the step on the way there (none: its own picture),
      whether the line ends there, and whether it plays by itself. */
  get here() {
    const stop = this.#stops[this.#at];
    const step = this.#number < stop.last ? this.#number - stop.first : undefined;
    const ends = stop.next < 0 && step === undefined;
    return { element: stop.element, step, ends, rate: this.#timer ? this.#rate : 0 };
  }

  /** The elements of the stops that are `far` or less steps away on the line that is shown. */
  around(far) {
    const path = this.#path(this.#at);
    const place = path.indexOf(this.#at);
    const near = path.slice(Math.max(0, place - far), place + far + 1);
    return near.map((at) => this.#stops[at].element);
  }

  /** Bring what is shown into sight in the list. */
  reveal() {
    this.#mark(this.#stops[this.#at]);
  }

  /** Take note of a list that has changed; what was shown is shown again if it is still there. */
  refresh() {
    const id = this.#stops[this.#at].id;
    this.#stops = stopsOf(this.#part("list"));
    const same = this.#place(id);
    return this.show(same < 0 ? this.#mainEnd() : same);
  }

  /** Go to the stop with a name, if there is one. Tells whether there was. */
  visit(id) {
    const at = this.#place(id);
    return at >= 0 && this.#go(at);
  }

  /** Go to the next (1) or previous (-1) picture. Tells whether there was one. */
  step(by) {
    const stop = this.#stops[this.#at];
    const number = this.#number + by;
    if (by > 0 && number <= stop.last) return this.#go(this.#at, number);
    if (by < 0 && number >= stop.first) return this.#go(this.#at, number);
    const other = by > 0 ? stop.next : stop.previous;
    if (other < 0) return false;
    return this.#go(other, by > 0 ? this.#stops[other].first : this.#stops[other].last);
  }

  /** Go to where the next turn begins, or this or the previous one began. */
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

  /** Go to the next (1) or previous (-1) event worth going to, or to where the line ends. */
  event(by) {
    const path = this.#path(this.#at);
    const here = path.indexOf(this.#at);
    const there = by > 0 ? path.slice(here + 1) : path.slice(0, here).reverse();
    const found = there.find((at) => this.#stops[at].notable);
    if (there.length) this.#go(found ?? there[there.length - 1]);
  }

  /** Go to the start, or to the end of the line. */
  end(by) {
    const path = this.#path(this.#at);
    this.#go(path[by > 0 ? path.length - 1 : 0]);
  }

  /** Start to play by itself, from the start if it is at the end; or stop. */
  toggle() {
    if (this.#timer) return this.#pause();
    const stop = this.#stops[this.#at];
    if (stop.next < 0 && this.#number === stop.last) this.end(-1);
    this.#timer = setInterval(() => this.step(1) || this.#pause(), 1000 / this.#rate);
    this.#state();
  }

  /** Play faster (1) or slower (-1). */
  faster(by) {
    const place = RATES.indexOf(this.#rate) + by;
    this.#speed(RATES[Math.min(RATES.length - 1, Math.max(0, place))]);
  }

  #speed(rate) {
    this.#rate = rate;
    this.#part("speed").value = String(rate);
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

  #go(at, number) {
    this.show(at, number);
    return true;
  }

  /** The stops from the start through this one to the end of its line. */
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

  #place(id) {
    return this.#stops.findIndex((stop) => stop.id === id);
  }

  #part(name) {
    return this.#root.querySelector(`[data-player=${name}]`);
  }

  /** Say everywhere what is shown. */
  #tell() {
    const stop = this.#stops[this.#at];
    const path = this.#path(this.#at);
    const place = path.indexOf(this.#at);
    const steps = stop.last - stop.first;
    const step = this.#number < stop.last ? ` · step ${this.#number - stop.first + 1} of ${steps}` : "";
    this.#part("count").textContent = `${place} / ${path.length - 1}${step}`;
    const told = copyOf(stop.element);
    this.#part("brief").textContent = [...told.querySelectorAll("a, abbr, .words")]
      .map((part) => part.textContent)
      .join(" ");
    this.#part("caption").replaceChildren(...told.childNodes);
    const slider = this.#part("slider");
    slider.max = path.length - 1;
    slider.value = place;
    slider.setAttribute("aria-valuetext", stop.element.querySelector("a").textContent);
    this.#mark(stop);
    remember(stop.id);
  }

  /** Mark the stop in the list, and bring it into sight if the list scrolls by itself. */
  #mark(stop) {
    const list = this.#part("list");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    stop.element.querySelector("a").setAttribute("aria-current", "step");
    const line = stop.element.querySelector("a").getBoundingClientRect();
    const box = list.getBoundingClientRect();
    if (getComputedStyle(list).overflowY === "visible") return;
    if (line.top < box.top + 40 || line.bottom > box.bottom - 40) {
      list.scrollTop += line.top - box.top - box.height / 2;
    }
  }

  #state() {
    const button = this.#part("controls").querySelector("[data-go=toggle]");
    button.setAttribute("aria-label", this.#timer ? "Pause" : "Play");
    button.classList.toggle("playing", this.#timer !== 0);
    // What changes every second is not to be read out.
    this.#part("caption").setAttribute("aria-live", this.#timer ? "off" : "polite");
  }

  #listen() {
    this.#part("controls").addEventListener("click", (event) => {
      const button = event.target.closest("[data-go]");
      if (button) this.#do(button.dataset.go);
    });
    this.#part("slider").addEventListener("input", (event) => {
      this.#go(this.#path(this.#at)[Number(event.target.value)]);
    });
    this.#part("speed").addEventListener("change", (event) => {
      this.#speed(Number(event.target.value));
    });
    this.#part("list").addEventListener("click", (event) => {
      const chosen = event.target.closest("a")?.closest("[data-line]");
      if (!chosen) return;
      event.preventDefault();
      this.#go(this.#stops.findIndex((stop) => stop.element === chosen));
      // What holds the board may be no box of its own.
      const board = this.#part("board").querySelector(".board, svg") ?? this.#part("board");
      if (board.getBoundingClientRect().top < 0) board.scrollIntoView();
    });
    window.addEventListener("hashchange", () => {
      const asked = this.#asked();
      if (asked >= 0 && asked !== this.#at) this.#go(asked);
    });
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target;
    if (target.closest?.("dialog, [data-keys=own]")) return;
    if (target.matches("select, textarea, input:not([type=range])")) return;
    // Space works what has the focus.
    if (event.key === " " && target.matches("button, a, summary")) return;
    const action = KEYS[(event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "") + event.key];
    if (!action) return;
    event.preventDefault();
    this.#do(action);
  }

  #do(action) {
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
    };
    actions[action]();
  }
}

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

function stopsOf(list) {
  const places = new Map();
  const ends = new Map();
  const stops = [];
  let pictures = 0;
  for (const element of list.querySelectorAll("[data-line]")) {
    const { line, turn, after, steps } = element.dataset;
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

/** A copy of what the list says about a stop, without the variations told there. */
function copyOf(element) {
  const copy = element.cloneNode(true);
  copy.querySelectorAll("[data-variation]").forEach((variation) => variation.remove());
  copy.querySelectorAll("[aria-current]").forEach((link) => link.removeAttribute("aria-current"));
  copy.querySelectorAll("[id]").forEach((part) => part.removeAttribute("id"));
  return copy;
}

function remember(id) {
  try {
    history.replaceState(null, "", `#${id}`);
  } catch {
    // Some viewers show a file without an address of its own.
  }
}
