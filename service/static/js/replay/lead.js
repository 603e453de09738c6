/**
 * Led replay: one page turns the pages of all other pages, until these leave it. The leader points
 * with taps and draws arrows with drags; both are temporary.
 */

import { drawOver, marksOf } from "../board/annotation_marks.js";
import { button, find, findAll, make } from "../shared/elements.js";
import { newKey, put } from "../shared/http.js";

/**
 * Milliseconds: before a place is sent, between repetitions, and of silence after which nobody
 * leads.
 */
const PAUSE = 80;
const REPEAT = 10000;
const SILENCE = 35000;
const MOST = 16;
const BARE = { class: "button bare" };

export class Lead {
  #reading;
  #list;
  #bar = make("p", { class: "led", role: "status", hidden: true });
  #id = newKey();
  /** @type {Leading | null} as the server last said */
  #lead = null;
  #left = false;
  /** The ply that this page sent last. */
  #told = "";
  #timer = 0;
  #silence = 0;
  #sent = Promise.resolve();

  /**
   * @param {ModalReading} reading
   * @param {import("./move_list.js").MoveList} list
   */
  constructor(reading, list) {
    this.#reading = reading;
    this.#list = list;
    find(reading.root, ".who").append(this.#bar);
    reading.root.addEventListener("going", () => this.#going());
    addEventListener("pagehide", () => this.#leads && this.#send(true));
    setInterval(() => this.#leads && this.#tell(), REPEAT);
  }

  get #leads() {
    return this.#lead?.id === this.#id;
  }

  /** Take the lead, here. */
  begin() {
    this.#left = false;
    this.#tell();
  }

  /**
   * Receive the leader and the leader's place.
   *
   * @param {Leading | null} lead
   */
  hear(lead) {
    const { rest, marks } = this.#reading;
    const led = this.#leads;
    this.#lead = lead;
    this.#left &&= lead !== null;
    clearTimeout(this.#silence);
    // A broken stream does not report that the lead has ended.
    if (lead) this.#silence = setTimeout(() => this.hear(null), SILENCE);
    if (this.#leads !== led) rest(this.#leads ? { tap: (at, thing) => thing.matches(".pb-cell") && this.#point({ kind: "circle", where: at }), drag: (from, to) => this.#point({ kind: "arrow", where: `${from}-${to}` }) } : null);
    if (!lead && marks.length) this.#mark([]);
    this.#follow();
  }

  async #follow() {
    const { root, player, busy, refresh } = this.#reading;
    const follows = this.#lead !== null && !this.#leads && !this.#left;
    root.toggleAttribute("data-led", follows);
    this.#draw();
    if (!this.#lead || !follows || busy()) return;
    const { ply, marks } = this.#lead;
    if (player.here.element.id === String(ply)) return this.#mark(marks);
    this.#reading.marks.splice(0, MOST, ...marks);
    // The list may not have the move yet.
    if (!player.visit(String(ply))) await refresh().then(() => player.visit(String(ply)));
  }

  /** Send the shown place if this page leads; stop following if its reader turned the page. */
  #going() {
    const { id } = this.#reading.player.here.element;
    if (this.#leads && id !== this.#told) {
      this.#reading.marks.length = 0;
      this.#tell();
    } else if (this.#lead && !this.#leads && !this.#left && id !== String(this.#lead.ply)) {
      if (document.getElementById(String(this.#lead.ply))) this.#leave();
    }
  }

  #leave() {
    if (this.#leads) return this.#tell(true);
    this.#left = true;
    this.#mark([]);
    this.#follow();
  }

  /** @param {Mark} mark drawn, or taken away if it is there */
  #point(mark) {
    const { marks } = this.#reading;
    const others = marks.filter(({ kind, where }) => kind !== mark.kind || where !== mark.where);
    this.#mark(others.length < marks.length ? others : [...marks, mark].slice(-MOST));
    this.#tell();
  }

  /** @param {Mark[]} marks shown over the board with the marks of the annotations */
  #mark(marks) {
    const { stage, player } = this.#reading;
    this.#reading.marks.splice(0, MOST, ...marks);
    if (player.here.step === undefined) drawOver(find(stage, "article.frame"), [...marksOf(player.here.element), ...marks]);
  }

  /** Send the place of this page to the others, one request at a time. A variation is not led. */
  #tell(over = false) {
    const { root, player } = this.#reading;
    const { id, dataset } = player.here.element;
    if (dataset.match === root.dataset.match) this.#told = id;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#sent = this.#sent.then(() => this.#send(over))), PAUSE);
  }

  /** @param {boolean} over */
  async #send(over) {
    const { root, marks } = this.#reading;
    const version = Number(findAll(root, '[data-line=""]').at(-1)?.dataset.version);
    try {
      await put(`/matches/${root.dataset.match}/lead`, { id: this.#id, version, ply: Number(this.#told), marks, over }, over);
    } catch (error) {
      this.#list.warn(/** @type {Error} */ (error).message);
      if (marks.length) this.#mark([]);
    }
  }

  /** Draw the line about the lead; an unchanged line is kept with its focus. */
  #draw() {
    this.#bar.hidden = !this.#lead;
    if (!this.#lead) return this.#bar.replaceChildren();
    const by = this.#leads ? "You lead" : `${this.#lead.by === "scorekeeper" ? "The scorekeeper" : this.#lead.by} leads`;
    const back = () => ((this.#left = false), this.#follow());
    const way = this.#left ? button("Follow", back, BARE) : button("Leave", () => this.#leave(), BARE);
    if (this.#bar.textContent !== `${by}${way.textContent}`) this.#bar.replaceChildren(by, way);
  }
}
