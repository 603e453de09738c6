/**
 * The page of a match for who records it: taps become moves, moves go to the outbox, and what is
 * stored comes back as a frame. Each of the parts has a module of its own; here they are joined.
 */

import { listen, mark, settle, stopOf } from "./board.js";
import { isPlace, left, meant, openings, tapped } from "./choosing.js";
import { button, make } from "./elements.js";
import { ending } from "./ending.js";
import { dataOf } from "./frames.js";
import { Outbox } from "./outbox.js";
import { pads } from "./pads.js";
import { Secrets } from "./programs.js";
import { questions } from "./questions.js";
import { notice, reason } from "./refusals.js";
import { post } from "./requests.js";
import { Sender } from "./sending.js";
import { openSheet } from "./sheet.js";
import { partsOf, Table } from "./table.js";
import { unguided } from "./unguided.js";
import { status, waiting } from "./waiting.js";
import { bodyOf, listed, nameOf, told } from "./words.js";

const KEPT_FOCUS = ["choose", "token", "face", "slot", "command", "passRow", "passTo", "seal", "write"];

class Recorder {
  #root;
  #parts;
  #table;
  #outbox;
  #sender;
  #secrets;
  #doing;
  #choices = [];
  #picks = [];
  #early = [];
  #refusal = null;
  #walking = false;
  #stop;

  constructor(root) {
    this.#root = root;
    this.#parts = partsOf(root);
    const { match } = root.dataset;
    this.#outbox = new Outbox(match, () => this.#draw());
    this.#secrets = new Secrets({
      seal: (seat, token) => this.#seal(seat, token),
      changed: () => this.#draw(),
      turned: (yes) => this.#parts.stage.classList.toggle("is-turned", yes),
    });
    this.#sender = new Sender(match, this.#outbox, (event, item, facts) => this.#sent(event, facts));
    this.#table = new Table(root, {
      shown: (frame) => this.#shown(frame),
      walking: () => {
        this.#walking = true;
        this.#draw();
      },
      tick: (now) => patience(this.#parts.desk, this.#table?.frame, now),
    });
    this.#furnish();
    this.#draw();
    listen(this.#parts.stage, {
      tap: (text) => this.#tap(text),
      release: () => this.#release(),
    });
    this.#table.follow();
    this.#sender.kick();
  }

  /* What is shown. */

  #shown(frame) {
    this.#walking = false;
    this.#doing = dataOf(frame, "doing");
    // A page whose invitation was revoked looks on from now on.
    if (!this.#doing) return location.reload();
    this.#choices = this.#doing.seats.flatMap(({ seat, secret, choices }) =>
      choices.filter(({ token }) => !secret.includes(/^[a-z]+(?==)/.exec(bodyOf(token))?.[0])).map((choice) => ({ seat, ...choice })),
    );
    settle(frame, this.#stop);
    this.#stop = stopOf(frame);
    this.#refusal = null;
    if (!left(this.#choices, this.#picks).length) this.#picks = [];
    if (!this.#table) return;
    this.#catchUp();
    this.#draw();
  }

  /** Taps that came while a move was on its way count upon the position after it. */
  #catchUp() {
    if (this.#outbox.items.length) return;
    const early = this.#early;
    this.#early = [];
    for (const text of early) this.#tap(text);
  }

  #draw() {
    const frame = this.#table?.frame;
    if (!frame || !this.#furniture) return;
    const items = this.#outbox.items;
    const found = left(this.#boardChoices, this.#picks);
    mark(frame, this.#walking ? {} : this.#signs(found, items), this.#supplier);
    this.#drawDesk(frame, items);
    this.#root.classList.toggle("is-programming", this.#secrets.open && !this.#walking);
    // What is tall stays below the board instead of over it.
    const tall = this.#unguided || this.#doing.over || this.#furniture.top.children.length > 0;
    this.#root.classList.toggle("is-busy", tall);
  }

  get #boardChoices() {
    return this.#choices.filter(({ fields }) => fields.some(({ text }) => isPlace(text)));
  }

  get #unguided() {
    const { first } = this.#outbox;
    return Boolean(first) && (this.#sender.unreached || first.state !== "waiting");
  }

  #signs(found, items) {
    const pending = new Set(items.flatMap(({ squares }) => squares));
    const refused = new Set(this.#refusal?.squares);
    const chosen = new Set(this.#picks);
    if (items.length || this.#doing.over) return { pending, refused, chosen };
    const next = openings(found);
    const places = next.get("place") ?? new Set();
    const others = new Set([...next].flatMap(([sort, texts]) => (sort === "place" ? [] : [...texts])));
    // A jump that goes on has its piece chosen already: what can be tapped is where it goes.
    const under = this.#picks.length || found.some(({ choice }) => choice.fields.length === 1 && choice.fields[0].name === "to");
    const [target, open] = under ? [places, others] : [new Set(), new Set([...places, ...others])];
    for (const text of refused) (target.delete(text), open.delete(text));
    return { open, target, chosen, pending, refused };
  }

  /** The seat out of whose supply is taken: one's own, but for a bonus. */
  get #supplier() {
    const speaking = this.#doing.seats.find(({ choices }) => choices.length);
    if (!speaking) return null;
    const { seat, awaited } = speaking;
    return awaited.some(({ what }) => what.includes("bonus")) ? 3 - seat : seat;
  }

  /* The desk. */

  #furniture = null;

  #furnish() {
    const undo = button("Undo", () => this.#undo(), { "data-undo": "" });
    const more = button("More", () => openSheet(this.#doing, this.#sheet()), { "data-more": "" });
    const state = make("span", { class: "state", role: "status" });
    const top = make("div", { class: "top", "aria-live": "polite" });
    const pad = make("div", { class: "pad" });
    this.#parts.desk.replaceChildren(top, pad, make("div", { class: "foot" }, state, undo, more));
    this.#furniture = { undo, state, top, pad };
  }

  #drawDesk(frame, items) {
    const { undo, state, top, pad } = this.#furniture;
    const doing = this.#doing;
    const focus = focusIn(pad);
    fill(top, [
      ...questions(doing, { enter: (...said) => this.#say(...said), answer: (...given) => this.#answer(...given) }),
      waiting(items, doing, {
        retry: ({ id }) => (this.#outbox.retry(id, this.#doing.version, this.#doing.turn), this.#sender.kick()),
        discard: ({ id }) => (this.#outbox.discard(id), this.#sender.kick()),
        unreached: this.#sender.unreached,
      }),
    ]);
    this.#drawRefusal();
    fill(pad, this.#controls(frame, items));
    refocus(pad, focus);
    state.textContent = status(items, this.#sender);
    state.classList.toggle("is-waiting", items.length > 0);
    undo.disabled = items.length ? this.#sender.busy && items.length === 1 : !doing.ply || doing.asked !== null;
  }

  #drawRefusal() {
    this.#root.querySelector(".refusal")?.remove();
    const { message } = this.#refusal ?? {};
    if (message) this.#parts.stage.before(notice(this.#doing.game, this.#doing.names, this.#refusal));
  }

  #controls(frame, items) {
    const doing = this.#doing;
    if (this.#walking) return [make("p", { class: "prompt" }, "Row by row. Tap the board to skip.")];
    const sealing = new Set(items.filter(({ secret }) => secret).map(({ seat }) => seat));
    if (doing.over && !items.length) return [ending(doing)];
    const secret = this.#secrets.controls({ doing, frame }, sealing);
    if (this.#unguided && !sealing.size) return this.#freely(frame);
    if (items.length) return secret;
    const now = { doing, choices: this.#choices, picks: this.#picks, frame, supplier: this.#supplier };
    const open = pads(now, { tap: (text) => this.#tap(text), choose: (choice) => this.#enter(choice) });
    return [this.#idle(frame), ...secret, ...open];
  }

  /** Whoever has nothing to do is told for whom to wait. */
  #idle(frame) {
    const { seats, names } = this.#doing;
    if (seats.some(({ awaited }) => awaited.some(({ must }) => must))) return null;
    const others = frame.dataset.awaited.split(",").filter(Boolean);
    return make("p", { class: "prompt" }, `Waiting for ${others.map((seat) => nameOf(names, seat)).join(" and ")}.`);
  }

  #freely(frame) {
    return unguided({ doing: this.#doing, frame, picks: this.#picks }, {
      tap: (text) => this.#tap(text),
      clear: () => this.#release(),
      write: () => {
        const picks = this.#picks;
        this.#picks = [];
        this.#outbox.add({ ...this.#upon(), seat: this.#doing.seat, picks, words: listed(picks), squares: picks.filter(isPlace) });
        this.#sender.kick();
      },
    });
  }

  /* Taps. */

  #tap(text) {
    if (this.#walking) return;
    this.#refusal = null;
    if (this.#unguided) this.#picks = freely(this.#picks, text);
    else if (this.#outbox.items.length) this.#early.push(text);
    else this.#choose(text);
    this.#draw();
  }

  #choose(text) {
    const board = this.#boardChoices;
    const picks = tapped(board, this.#picks, text);
    if (picks === null) return this.#refuse([...this.#picks, text]);
    this.#picks = picks;
    const choice = meant(left(board, picks));
    if (choice) this.#enter(choice);
  }

  async #refuse(picks) {
    const tap = picks.at(-1);
    const places = (squares) => [...new Set([tap, ...squares])];
    const asked = (this.#refusal = { message: "", squares: [tap] });
    const speaking = this.#doing.seats.filter(({ choices }) => choices.length);
    const seat = this.#doing.seat ?? (speaking.length === 1 ? speaking[0].seat : null);
    const found = await reason({ match: this.#doing.match, seat, picks });
    if (this.#refusal !== asked) return;
    if (found.possible) {
      // The page is behind the match: what is tapped would be a move there.
      this.#refusal = null;
      return this.#table.refresh();
    }
    this.#refusal = { ...found, squares: places(found.squares) };
    this.#draw();
  }

  #release() {
    this.#picks = [];
    this.#refusal = null;
    this.#draw();
  }

  /* What is entered. */

  #upon() {
    return { base: this.#doing.version, turn: this.#doing.turn };
  }

  #enter(choice) {
    const squares = choice.fields.map(({ text }) => text).filter(isPlace);
    const roll = choice.token === "roll";
    this.#picks = [];
    this.#outbox.add({ ...this.#upon(), seat: choice.seat, token: roll ? null : choice.token, roll, words: told(choice, this.#doing), squares });
    this.#sender.kick();
  }

  #seal(seat, token) {
    const words = `${nameOf(this.#doing.names, seat)}: sealed`;
    this.#outbox.add({ ...this.#upon(), seat, token, secret: true, words, squares: [] });
    this.#sender.kick();
  }

  #say(seat, token, words) {
    const who = this.#doing.role === "seat" ? "" : `${nameOf(this.#doing.names, seat)}: `;
    this.#outbox.add({ ...this.#upon(), seat, token: `${seat}:${token}`, words: `${who}${words}`, squares: [] });
    this.#sender.kick();
  }

  #sent(event, facts) {
    if (event === "stored") this.#table.refresh(facts.version);
    if (event === "refused") this.#table.refresh();
    if (this.#unguided) this.#picks.push(...this.#early.splice(0));
    this.#draw();
  }

  /* Taking back. */

  async #undo() {
    const last = this.#outbox.items.at(-1);
    if (last) return this.#outbox.discard(last.id);
    const { match, ply, version } = this.#doing;
    await this.#at(() => post(`/matches/${match}/takeback`, { ply: ply - 1, expected: version }));
  }

  async #answer(grant, seat) {
    const { match, version } = this.#doing;
    await this.#at(() => post(`/matches/${match}/takeback/answer`, { grant, expected: version, ...(seat ? { seat } : {}) }));
  }

  /** Do something at once, and tell why if it cannot be done. */
  async #at(work) {
    this.#picks = [];
    this.#refusal = null;
    try {
      await work();
    } catch ({ message, clause }) {
      this.#refusal = { message, clause, squares: [] };
    }
    const refusal = this.#refusal;
    await this.#table.refresh();
    this.#refusal = refusal;
    this.#draw();
  }

  #sheet() {
    return { enter: (...said) => this.#say(...said), changed: () => this.#table.refresh() };
  }
}

/** Say on the button for a foul how long the other player still has, where a clock keeps it. */
function patience(desk, frame, now) {
  const button = desk.querySelector('[data-token$="foul"]');
  const { limits, waits } = (frame && dataOf(frame, "clocks")) ?? {};
  const [opened] = Object.values(waits ?? {});
  if (!button || opened === undefined) return;
  const rest = Math.ceil((opened + (limits.programming + 1) * 1000 - now) / 1000);
  button.textContent = button.textContent.replace(/ \(.*\)$/, "") + (rest > 0 ? ` (in ${rest} s)` : "");
}

function freely(picks, text) {
  return picks.at(-1) === text ? picks.slice(0, -1) : [...picks, text];
}

/** Put elements in the place of others, leaving those that stay untouched. */
function fill(place, elements) {
  const wanted = elements.filter(Boolean);
  const same = wanted.length === place.children.length && wanted.every((element, at) => element === place.children[at]);
  if (!same) place.replaceChildren(...wanted);
}

/** What has the focus in a pad, as a selector that finds it in the next one. */
function focusIn(pad) {
  const { activeElement: focused } = document;
  if (!pad.contains(focused)) return null;
  const name = KEPT_FOCUS.find((key) => key in focused.dataset);
  if (!name) return { focused, selector: null };
  const attribute = `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return { focused, selector: `[${attribute}="${CSS.escape(focused.dataset[name])}"]` };
}

function refocus(pad, focus) {
  if (!focus || (pad.contains(focus.focused) && document.activeElement === focus.focused)) return;
  const there = focus.selector && pad.querySelector(focus.selector);
  (there || pad.closest(".desk")).focus({ preventScroll: true });
}

new Recorder(document.querySelector("main.match"));
