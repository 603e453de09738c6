/**
 * The page of a match for who records it: taps become moves, moves go to the outbox, and what is
 * stored comes back as a frame. Each of the parts has a module of its own; here they are joined.
 */

import { listen, mark, settle, stopOf } from "./board.js";
import { isPlace, left, meant, openings, tapped } from "./choosing.js";
import { Desk, supplierOf } from "./desk.js";
import { fit } from "./fitting.js";
import { dataOf } from "./frames.js";
import { Outbox } from "./outbox.js";
import { notice, reason } from "./refusals.js";
import { NO_NETWORK, post } from "./requests.js";
import { Sender } from "./sending.js";
import { guiding, pending } from "./signs.js";
import { partsOf, Table } from "./table.js";
import { bodyOf, listed, nameOf, told } from "./words.js";

const AGAIN = 2000;
const NOTHING_SECRET = { open: false, controls: () => [] };
const ELSEWHERE = "Nothing is tapped on the board just now: use what is below it";

class Recorder {
  #root;
  #parts;
  #table;
  #outbox;
  #sender;
  #secrets;
  #desk;
  #doing;
  #choices = [];
  /** What is tapped of the move that is being chosen. */
  #picks = [];
  /** Taps that came while a move was on its way. */
  #early = [];
  #refusal = null;
  /** The version that is stored for certain; the board may still show the one before. */
  #stored = 0;
  #behind = false;
  #walking = false;
  #stop;
  #fit;

  /** `Secrets` is the class of that name, where the game has secret moves. */
  constructor(root, Secrets) {
    this.#root = root;
    this.#parts = partsOf(root);
    const { match } = root.dataset;
    this.#outbox = new Outbox(match, () => this.#draw());
    this.#sender = new Sender(match, this.#outbox, (event, facts) => this.#sent(event, facts));
    this.#secrets = Secrets ? new Secrets(this.#covert()) : NOTHING_SECRET;
    this.#desk = new Desk(this.#parts.desk, this.#secrets, this.#deeds());
    this.#table = new Table(root, {
      shown: (frame) => this.#shown(frame),
      walking: () => ((this.#walking = true), this.#draw()),
      tick: (now) => this.#desk.tick(this.#table?.frame, now),
    });
    // Whoever goes on below the board has read why a tap on it was refused.
    this.#parts.desk.addEventListener("click", () => this.#forgive(), { capture: true });
    listen(this.#parts.stage, { tap: (text) => this.#tap(text), release: () => this.#release() });
    this.#draw();
    this.#fit = fit(root, this.#parts.desk);
    this.#table.follow();
    this.#sender.kick();
  }

  /** What can be done at the desk. */
  #deeds() {
    return {
      tap: (text) => this.#tap(text),
      choose: (choice) => this.#enter(choice),
      write: () => this.#write(),
      roll: (thrown) => this.#roll(thrown),
      clear: () => this.#release(),
      redraw: () => this.#draw(),
      undo: () => this.#undo(),
      more: () => this.#more(),
      enter: (...said) => this.#say(...said),
      answer: (grant, seat) => this.#answer(grant, seat),
      retry: ({ id }) => (this.#outbox.retry(id, this.#doing.version, this.#doing.turn), this.#sender.kick()),
      discard: ({ id }) => (this.#outbox.discard(id), this.#sender.kick()),
    };
  }

  /** What is done where something is entered in secret. */
  #covert() {
    return {
      seal: (seat, token) => this.#seal(seat, token),
      changed: () => ((this.#refusal = null), this.#draw()),
      turned: (yes) => this.#parts.stage.classList.toggle("is-turned", yes),
    };
  }

  /* What is shown. */

  #shown(frame) {
    this.#walking = this.#behind = false;
    this.#doing = dataOf(frame, "doing");
    // A page whose invitation was revoked looks on from now on.
    if (!this.#doing) return location.reload();
    this.#choices = this.#doing.seats.flatMap(openly);
    settle(frame, this.#stop);
    this.#stop = stopOf(frame);
    this.#refusal = null;
    if (!left(this.#choices, this.#picks).length) this.#picks = [];
    if (!this.#table) return;
    // Taps that came while a move was on its way count upon the position after it.
    if (!this.#busy) for (const text of this.#early.splice(0)) this.#tap(text);
    this.#draw();
  }

  #draw() {
    const frame = this.#table?.frame;
    if (!frame) return;
    mark(frame, this.#walking ? {} : this.#signs, supplierOf(this.#doing));
    this.#desk.draw({
      doing: this.#doing,
      choices: this.#choices,
      picks: this.#picks,
      frame,
      items: this.#outbox.items,
      sender: this.#sender,
      busy: this.#busy,
      unguided: this.#unguided,
      walking: this.#walking,
    });
    this.#root.querySelector(".refusal")?.remove();
    if (this.#refusal?.message) this.#object(notice(this.#doing, this.#refusal));
    this.#root.classList.toggle("is-programming", this.#secrets.open && !this.#walking);
    this.#root.classList.toggle("is-busy", this.#unguided || this.#doing.over || this.#desk.tall);
    this.#fit?.();
  }

  /** Say why not in the place of what happened, or on top of what the page is scrolled to. */
  #object(said) {
    this.#parts.stage.before(said);
    const { bottom } = this.#table.frame.querySelector(".said").getBoundingClientRect();
    const { top } = this.#root.getBoundingClientRect();
    said.style.setProperty("--above", `${bottom - top - said.offsetHeight}px`);
  }

  get #signs() {
    const { items } = this.#outbox;
    if (this.#busy || this.#doing.over) return pending(items, this.#picks, this.#refusal);
    return guiding(left(this.#onBoard, this.#picks), this.#picks, this.#refusal);
  }

  get #onBoard() {
    return this.#choices.filter(({ fields }) => fields.some(({ text }) => isPlace(text)));
  }

  /** Whether the board shows less than what was entered. */
  get #busy() {
    return this.#outbox.items.length > 0 || this.#table.version < this.#stored;
  }

  /** Whether all there is to do is done below the board. */
  get #elsewhere() {
    if (this.#secrets.open) return true;
    if (this.#busy || this.#onBoard.length) return false;
    return this.#choices.length > 0 || this.#doing.seats.some(({ secret }) => secret.length);
  }

  /** Whether that will last, so that people go on without being guided. */
  get #unguided() {
    const { first } = this.#outbox;
    return first ? this.#sender.unreached || first.state !== "waiting" : this.#behind;
  }

  /* Taps. */

  #tap(text) {
    if (this.#walking) return;
    this.#refusal = null;
    if (this.#elsewhere) this.#refusal = { message: ELSEWHERE, squares: [] };
    else if (this.#unguided) this.#picks = freely(this.#picks, text);
    else if (this.#busy) this.#early.push(text);
    else this.#choose(text);
    this.#draw();
  }

  #choose(text) {
    const picks = tapped(this.#onBoard, this.#picks, text);
    if (picks === null) return this.#refuse([...this.#picks, text]);
    this.#picks = picks;
    const choice = meant(left(this.#onBoard, picks));
    if (choice) this.#enter(choice);
  }

  async #refuse(picks) {
    const tap = picks.at(-1);
    const asked = (this.#refusal = { message: "", squares: [tap] });
    const speaking = this.#doing.seats.filter(({ choices }) => choices.length);
    const seat = this.#doing.seat ?? (speaking.length === 1 ? speaking[0].seat : null);
    const found = await reason({ match: this.#doing.match, seat, picks });
    if (this.#refusal !== asked) return;
    this.#refusal = found.possible ? null : { ...found, squares: [tap, ...this.#wrong(found.squares)] };
    // The page is behind the match: what is tapped would be a move there.
    if (found.possible) return this.#table.refresh();
    this.#draw();
  }

  /** Of the places that a refusal names those that are wrong: not what is chosen or would be right. */
  #wrong(squares) {
    const right = openings(left(this.#onBoard, this.#picks)).get("place");
    return squares.filter((square) => !this.#picks.includes(square) && !right?.has(square));
  }

  #forgive() {
    this.#refusal = null;
    this.#root.querySelector(".refusal")?.remove();
  }

  #release() {
    this.#picks = [];
    this.#refusal = null;
    this.#draw();
  }

  /** Open the sheet of what is seldom needed, which is loaded only then. */
  async #more() {
    try {
      const { openSheet } = await import("./sheet.js");
      openSheet(this.#doing, { enter: (...said) => this.#say(...said), changed: () => this.#table.refresh() });
    } catch {
      this.#refusal = { message: NO_NETWORK, squares: [] };
      this.#draw();
    }
  }

  /* What is entered goes to the outbox. */

  #put(entered) {
    this.#picks = [];
    const { version, turn } = this.#doing;
    this.#outbox.add({ base: Math.max(version, this.#stored), turn, squares: [], ...entered });
    this.#sender.kick();
  }

  #enter(choice) {
    const { seat, token, fields } = choice;
    const words = told(choice, this.#doing);
    const squares = fields.map(({ text }) => text).filter(isPlace);
    if (token === "roll") this.#put({ seat, roll: true, words });
    else this.#put({ seat, token, words, squares });
  }

  #seal(seat, token) {
    this.#put({ seat, token, secret: true, words: `${nameOf(this.#doing.names, seat)}: sealed` });
  }

  #say(seat, token, words) {
    const who = this.#doing.role === "seat" ? "" : `${nameOf(this.#doing.names, seat)}: `;
    this.#put({ seat, token: `${seat}:${token}`, words: who + words });
  }

  #write() {
    const picks = this.#picks;
    this.#put({ seat: this.#doing.seat, picks, words: listed(picks), squares: picks.filter(isPlace) });
  }

  /** Dice that are rolled while nobody knows whose turn it is by then. */
  #roll(thrown) {
    const roll = thrown ? { token: `roll=${thrown}`, words: `Roll ${thrown.replace(",", " and ")}` } : { roll: true, words: "Roll the dice" };
    this.#put({ seat: this.#doing.seat, ...roll });
  }

  #sent(event, facts) {
    if (event === "refused") this.#refused(facts);
    if (event === "stored") {
      this.#stored = facts.version;
      this.#catchUp();
    }
    if (this.#unguided) this.#picks.push(...this.#early.splice(0));
    this.#draw();
  }

  /**
   * What is refused stays on the list until its author says what to do, unless it never had to
   * wait: then it is a tap like any other that was not by the rules.
   */
  async #refused({ item, problem }) {
    const tap = !problem.stale && !item.late && this.#outbox.items.length === 1;
    if (tap) this.#outbox.discard(item.id);
    await this.#catchUp();
    if (!tap) return;
    this.#refusal = { message: problem.detail, clause: problem.clause, squares: this.#wrong(problem.squares ?? []) };
    this.#draw();
  }

  /** Show what is stored; as long as that does not come, people go on without being guided. */
  async #catchUp() {
    await this.#table.refresh(this.#stored);
    this.#behind = this.#table.version < this.#stored;
    if (!this.#behind) return;
    this.#draw();
    setTimeout(() => this.#catchUp(), AGAIN);
  }

  /* Taking back is done at once or not at all. */

  async #undo() {
    const last = this.#outbox.items.at(-1);
    if (last) return this.#outbox.discard(last.id);
    const { match, ply, version } = this.#doing;
    await this.#atOnce(() => post(`/matches/${match}/takeback`, { ply: ply - 1, expected: version }));
  }

  async #answer(grant, seat) {
    const { match, version } = this.#doing;
    const answer = { grant, expected: version, ...(seat ? { seat } : {}) };
    await this.#atOnce(() => post(`/matches/${match}/takeback/answer`, answer));
  }

  async #atOnce(work) {
    let refusal = null;
    this.#release();
    try {
      await work();
    } catch ({ message, clause }) {
      refusal = { message, clause, squares: [] };
    }
    await this.#table.refresh();
    this.#refusal = refusal;
    this.#draw();
  }
}

/** The choices of a seat that are made in the open, each with its seat. */
function openly({ seat, secret, choices }) {
  const word = ({ token }) => /^[a-z]+(?==)/.exec(bodyOf(token))?.[0];
  return choices.filter((choice) => !secret.includes(word(choice))).map((choice) => ({ seat, ...choice }));
}

/** Taps without guidance: all count, but that tapping twice lets go. */
function freely(picks, text) {
  return picks.at(-1) === text ? picks.slice(0, -1) : [...picks, text];
}

const root = document.querySelector("main.match");
const secretly = root.dataset.secret ? await import("./secrets.js") : {};
new Recorder(root, secretly.Secrets);
