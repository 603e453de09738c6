/**
 * The page for recording a match: taps become moves, moves go to the outbox, and a stored move
 * comes back as a frame. Each part is a module; this module connects them.
 */

import { isSmall, listenForTaps, placesOf, setTabStop, showStates, tabStopOf } from "./board/tappable_board.js";
import { byFields, choiceStates, choicesOf, inAnyOrder, left, meant, pendingStates, tapped } from "./board/move_choice.js";
import { ControlPanel, supplierOf } from "./match/control_panel.js";
import { fitBoard } from "./board/board_fit.js";
import { addressOf, dataOf } from "./board/frames.js";
import "./shared/modal.js";
import { Outbox } from "./match/outbox.js";
import { reason, refusalNotice } from "./match/refusals.js";
import "./shared/on_demand.js";
import { around, find, make, partsOf } from "./shared/elements.js";
import { get, HttpError, NO_NETWORK, post } from "./shared/http.js";
import { OutboxSender } from "./match/outbox_sender.js";
import { MatchView } from "./match/match_view.js";
import { choiceWords, nameOf, pickWords } from "./shared/words.js";

const AGAIN = 2000;
/** The milliseconds between showing a board and fetching the boards after it. */
const IDLE = 3000;
/** @type {SecretPads} */
const NOTHING_SECRET = { open: false, states: null, tap: () => false, pads: () => [], asks: "" };
/** The milliseconds in which a second tap on Undo is the same tap. */
const TWICE = 300;
/** The milliseconds after a new board for which a tap was still meant for the board before. */
const LATE = 1000;
const ELSEWHERE = "Use the buttons below the board now";

class Recorder {
  #root;
  #parts;
  #view;
  #outbox;
  #sender;
  /** @type {import("./match/boards_ahead.js").BoardsAhead | null} */
  #boards = null;
  /** @type {{ frame: HTMLElement, sure: boolean } | null} The board with what waits for the network. */
  #ahead = null;
  #idle = 0;
  /** Whether the last attempt to get news of the match failed. */
  #away = false;
  #secrets;
  #panel;
  /** @type {Controls} */
  #controls;
  /** @type {Choice[]} */
  #choices = [];
  /** @type {Choice[]} Those that are known before a tap. */
  #listed = [];
  /** @type {Set<string>} The places of the board that is shown. */
  #places = new Set();
  /** @type {string[]} The taps on the move that is being chosen. */
  #picks = [];
  /** The refusal to show if a move from elsewhere has just ended the move that was being chosen. */
  /** @type {Refusal | null} */
  #overtaken = null;
  /** @type {string[]} Taps made while a move was being sent, or during a question about its first tap. */
  #early = [];
  #beginning = false;
  /** @type {Refusal | null} */
  #refusal = null;
  /** The version that is stored for certain; the board may still show the version before. */
  #stored = 0;
  /** Whether the writer is not sure of the next move. */
  #unsure = false;
  /** @type {{ item: OutboxItem, version: number }[]} What was stored by this page, at which versions. */
  #arrived = [];
  #behind = false;
  #undone = -Infinity;
  /** @type {Walk | null} */
  #walking = null;
  /** @type {HTMLElement | null} The last frame that several pictures led to. */
  #revealed = null;
  /** @type {string | undefined} */
  #stop;
  /** @type {(() => void) | undefined} */
  #fit;

  /**
   * @param {HTMLElement} root
   * @param {typeof import("./match/secrets.js").Secrets} [Secrets] where the game has secret moves
   */
  constructor(root, Secrets) {
    this.#root = root;
    this.#parts = partsOf(root);
    this.#controls = dataOf(find(root, "article.frame"), "record-controls");
    const { match = "" } = root.dataset;
    this.#outbox = new Outbox(match || unopenedHere(), () => this.#draw());
    this.#sender = new OutboxSender(match, this.#outbox, {
      stored: (item, version, frame) => {
        this.#arrived.push({ item, version });
        this.#boards?.advance(item, version);
        this.#advance(version, frame);
      },
      advanced: (version, frame) => this.#advance(version, frame),
      refused: (item, problem) => this.#refused(item, problem),
      rested: () => (this.#goOn(), this.#view.catchUp()),
      slow: () => this.#goOn(),
      left: () => this.#leaves(),
    });
    this.#secrets = Secrets ? new Secrets(this.#secretActions()) : NOTHING_SECRET;
    this.#panel = new ControlPanel(this.#parts.desk, this.#secrets, this.#actions());
    this.#view = new MatchView(root, {
      shown: (frame) => this.#shown(frame),
      walking: (frame) => this.#walk(frame),
      entering: () => this.#sender.busy,
      ahead: (stored) => this.#lookAhead(stored),
      reached: (yes) => this.#reach(yes),
      tick: (now) => this.#panel.tick(this.#view?.frame, now),
    });
    // A click below the board means that the refusal above it was read.
    this.#parts.desk.addEventListener("click", () => this.#forgive(), { capture: true });
    listenForTaps(this.#parts.stage, { tap: (text) => this.#tap(text), release: () => this.#release() });
    this.#parts.players.addEventListener("click", (event) => this.#name(event));
    this.#stayAwake();
    this.#draw();
    this.#fit = fitBoard(root, this.#parts.desk);
    if (match) this.#view.follow();
    else this.#wait();
    this.#sender.kick();
    this.#prepare();
  }

  /** @returns {RecordActions} */
  #actions() {
    return {
      tap: (text) => this.#tap(text),
      choose: (choice) => this.#enter(choice),
      write: () => this.#write(),
      put: (move) => this.#put(move),
      roll: (thrown) => this.#roll(thrown),
      clear: () => this.#release(),
      redraw: () => this.#draw(),
      again: () => this.#revealed && this.#view.watch(this.#revealed),
      undo: ({ timeStamp }) => this.#undo(timeStamp),
      redo: () => this.#redo(),
      more: () => this.#more(),
      enter: (...said) => this.#say(...said),
      answer: (grant, seat) => this.#answer(grant, seat),
      reopen: (ply) => this.#reopen(ply),
      retry: ({ id }) => (this.#outbox.retry(id, this.#base, this.#controls.turn), this.#sender.kick()),
      discard: ({ id }) => (this.#outbox.discard(id), this.#sender.kick()),
    };
  }

  /** @returns {import("./match/secrets.js").SecretActions} */
  #secretActions() {
    return {
      seal: (seat, text) => this.#seal(seat, text),
      changed: () => ((this.#refusal = null), this.#draw()),
      turned: (yes) => this.#parts.stage.classList.toggle("is-turned", yes),
    };
  }

  /* The page. */

  /** @type {(frame: HTMLElement) => void} */
  #shown(frame) {
    this.#walking = null;
    this.#behind &&= this.#view.version < this.#stored;
    this.#controls = dataOf(frame, "record-controls");
    const { seat } = this.#controls;
    if (seat !== null) this.#parts.stage.classList.toggle("is-turned", (frame.dataset.far ?? "").split(",").includes(String(seat)));
    this.#places = placesOf(frame);
    this.#listed = this.#controls.seats.flatMap((each) => listed(each, this.#places));
    this.#choices = this.#listed;
    setTabStop(frame, this.#stop);
    this.#stop = tabStopOf(frame);
    this.#refusal = null;
    // Without guidance every tap counts, also on a board whose moves are not known.
    if (!this.#unguided && !left(this.#choices, this.#picks).length) this.#lose(frame.dataset.mover);
    if (!this.#view) return;
    // Taps made while a move was being sent belong to the position after that move.
    if (!this.#busy) for (const text of this.#early.splice(0)) this.#tap(text);
    this.#draw();
    this.#fetchWhenIdle();
  }

  /**
   * Discard the picks of the move that is being chosen; say why if another device moved.
   *
   * @type {(mover?: string) => void}
   */
  #lose(mover) {
    if (this.#picks.length && this.#view.version > this.#stored) this.#overtaken = { message: `${mover ? nameOf(this.#controls.names, Number(mover)) : "Somebody"} was quicker`, squares: [] };
    this.#refusal = this.#overtaken;
    setTimeout(() => (this.#overtaken = null), LATE);
    this.#picks = [];
  }

  /**
   * Show the pictures that lead to a frame in turn, so that hands at the table can follow them.
   *
   * @type {(frame: HTMLElement) => (step: number) => Promise<boolean>}
   */
  #walk(frame) {
    this.#revealed = frame;
    const { steps } = addressOf(frame);
    return (step) =>
      new Promise((go) => {
        this.#walking = { step, steps, go };
        this.#draw();
      });
  }

  #draw() {
    if (!this.#view || (!this.#walking && this.#view.lookAhead())) return;
    const { frame, version } = this.#view;
    // An open dash has a page of its own.
    if (this.#controls.unjudged && !this.#outbox.items.length) return location.reload();
    this.#arrived = this.#arrived.filter((each) => each.version > version);
    const revealed = this.#revealed?.dataset.turn === frame.dataset.turn ? this.#revealed : null;
    this.#panel.draw({
      controls: this.#controls,
      choices: this.#choices,
      picks: this.#picks,
      frame,
      items: this.#outbox.items,
      arrived: this.#arrived.map(({ item }) => item),
      sender: { unreached: this.#unreached, busy: this.#sender.busy },
      ahead: this.#ahead !== null,
      busy: this.#busy,
      unguided: this.#unguided,
      walking: this.#walking,
      revealed,
    });
    showStates(frame, this.#walking ? {} : this.#states, supplierOf(this.#controls));
    this.#ask(frame);
    this.#root.querySelector(".refusal")?.remove();
    if (this.#refusal?.message) this.#showRefusal(refusalNotice(this.#controls, this.#refusal));
    this.#root.classList.toggle("is-programming", this.#secrets.open && !this.#walking);
    this.#root.classList.toggle("is-revealed", this.#walking !== null || (revealed !== null && !this.#secrets.open));
    this.#root.classList.toggle("is-busy", this.#unguided || this.#controls.over || this.#panel.tall);
    this.#fit?.();
  }

  /**
   * Show what an open pad asks for in the place of the last move.
   *
   * @type {(frame: HTMLElement) => void}
   */
  #ask(frame) {
    frame.querySelector(".asked")?.remove();
    const asks = this.#secrets.asks || (this.#unsure && "Not sure of the next move");
    if (asks && !this.#walking) find(frame, ".said").prepend(make("p", { class: "asked" }, asks));
  }

  /**
   * Show a refusal in the place of the last move, or at the top of the screen.
   *
   * @type {(notice: HTMLElement) => void}
   */
  #showRefusal(notice) {
    this.#parts.stage.before(notice);
    const { bottom } = find(this.#view.frame, ".said").getBoundingClientRect();
    const { top } = this.#root.getBoundingClientRect();
    notice.style.setProperty("--above", `${bottom - top - notice.offsetHeight}px`);
  }

  get #states() {
    // A board ahead shows the moves already, but not the marks of the last move.
    const items = this.#outbox.items.slice(this.#ahead ? -1 : 0);
    if (this.#secrets.states) return { ...this.#secrets.states, refused: new Set(this.#refusal?.squares) };
    if (this.#busy || this.#controls.over) return pendingStates(items, this.#picks, this.#refusal);
    return choiceStates(left(this.#onBoard, this.#picks), this.#picks, this.#refusal);
  }

  get #onBoard() {
    return byFields(this.#choices, this.#controls);
  }

  /** The latest version that this page knows of. */
  get #base() {
    return Math.max(this.#controls.version, this.#stored);
  }

  /** Whether the board lacks moves that were entered. */
  get #busy() {
    if (this.#ahead?.sure) return false;
    return this.#outbox.items.length > 0 || this.#view.version < this.#stored;
  }

  /** Whether all choices are made below the board. */
  get #elsewhere() {
    if (this.#secrets.open) return true;
    if (this.#busy || this.#onBoard.length || this.#controls.seats.some(({ begun }) => begun)) return false;
    return this.#choices.length > 0 || this.#controls.seats.some(({ secret }) => secret.length);
  }

  /** Whether that state will last, so that people go on without guidance. */
  get #unguided() {
    if (this.#ahead?.sure) return false;
    const [first] = this.#outbox.items;
    return first ? this.#unreached || first.state !== "waiting" : this.#behind;
  }

  get #unreached() {
    return this.#sender.unreached || this.#away;
  }

  /* Without a network. */

  /** @type {(yes: boolean) => void} */
  #reach(yes) {
    if (this.#away === !yes) return;
    this.#away = !yes;
    // A link may have been replaced meanwhile.
    if (yes) this.#sender.kick(), this.#view.refresh(), this.#fetchWhenIdle();
    this.#draw();
  }

  /**
   * Find out whether this device may no longer write.
   *
   * @type {() => Promise<boolean>}
   */
  async #leaves() {
    await this.#view.refresh();
    return this.#view.left;
  }

  /** Record a match that was started without a network, until the server can open it. */
  async #wait() {
    this.#away = true;
    const { openWhenReached } = await import("./match/unopened.js");
    openWhenReached(unopenedHere(), (words) => {
      this.#refusal = { message: words, squares: [] };
      this.#draw();
    });
  }

  /**
   * Return the board with the moves that wait for the network, as far as it can be drawn.
   *
   * @type {(stored: HTMLElement) => HTMLElement}
   */
  #lookAhead(stored) {
    const { items } = this.#outbox;
    const waiting = items.length > 0 && items.every(({ state }) => state === "waiting");
    const late = waiting && (this.#unreached || items[0].late);
    this.#ahead = late ? this.#boards?.after(stored, items) ?? null : null;
    return this.#ahead?.frame ?? stored;
  }

  /**
   * Load the module for boards ahead, and show the moves that have waited since before this page
   * was loaded.
   */
  async #prepare() {
    try {
      const { BoardsAhead } = await import("./match/boards_ahead.js");
      this.#boards = new BoardsAhead();
      if (this.#outbox.first || this.#away) await this.#fetchAhead(true);
      else this.#fetchWhenIdle();
    } catch {
      // Without it, moves are entered without guidance while there is no network.
    }
  }

  #fetchWhenIdle(pause = IDLE) {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#fetchAhead(undefined, pause), pause);
  }

  /**
   * Fetch the boards after this board, unless there is no move to enter; after a temporary failure
   * try again, after a pause that doubles each time. In a tab the server is always there.
   *
   * @type {(waiting?: boolean, pause?: number) => Promise<void>}
   */
  async #fetchAhead(waiting = this.#outbox.items.length > 0, pause = IDLE) {
    const { game, seats } = this.#controls;
    const { match } = this.#root.dataset;
    const entered = seats.some(({ choices, secret }) => choices.length || secret.length);
    if (!this.#boards || (!entered && !waiting) || "tab" in document.documentElement.dataset) return;
    const address = match ? `/m/${match}/ahead` : `/new/${game}/ahead${location.search}`;
    if (this.#boards.version !== this.#view.version) await this.#boards.load(address).catch(({ temporary }) => temporary && this.#fetchWhenIdle(2 * pause));
    this.#draw();
  }

  /* Taps. */

  /** @type {(text: string) => void} */
  #tap(text) {
    if (this.#walking) return;
    this.#refusal = null;
    if (this.#secrets.states) this.#refusal = this.#secrets.tap(text) ? null : { message: "", squares: [text] };
    else if (this.#elsewhere) this.#refusal = { message: ELSEWHERE, squares: [] };
    else if (this.#unguided) this.#picks = freely(this.#picks, text);
    else if (this.#busy || this.#beginning) this.#early.push(text);
    else if (this.#overtaken) this.#refusal = this.#overtaken;
    else this.#choose(text);
    this.#draw();
  }

  /** @type {(text: string) => unknown} */
  #choose(text) {
    // A place smaller than a finger is entered by a second tap.
    const asked = this.#picks.at(-1) === text && meant(this.#onBoard, this.#picks);
    if (asked) return this.#enter(asked);
    const picks = tapped(this.#onBoard, this.#picks, text);
    if (picks === null) return this.#controls.seats.some(({ begun }) => begun) ? this.#begin(text) : this.#refuse([...this.#picks, text]);
    this.#picks = picks;
    const choice = meant(this.#onBoard, picks);
    if (choice && !isSmall(this.#view.frame, text)) this.#enter(choice);
  }

  /**
   * Begin a move with a tap: ask which moves there are, as they are too many to be known before.
   *
   * @type {(text: string) => Promise<void>}
   */
  async #begin(text) {
    const { match, version, seats } = this.#controls;
    const { seat } = seats.find(({ begun }) => begun) ?? seats[0];
    const query = new URLSearchParams({ seat: String(seat), picks: text });
    this.#beginning = true;
    const found = await get(`/matches/${match}/legal?${query}`).catch((/** @type {Error} */ { message }) => ({ message }));
    this.#beginning = false;
    const early = this.#early.splice(0);
    if (this.#controls.version !== version) return;
    this.#choices = [...this.#listed, ...choicesOf([{ seat, choices: found.begun?.[seat] ?? [] }], this.#places)];
    const begun = left(this.#onBoard, [text]).length > 0;
    this.#picks = begun ? [text] : [];
    if (!begun) this.#refusal = { message: found.message ?? "First tap what moves, or a piece to put down", squares: [text] };
    this.#draw();
    for (const next of early) this.#tap(next);
  }

  /** @type {(picks: string[]) => Promise<void>} */
  async #refuse(picks) {
    const tap = picks[picks.length - 1];
    const asked = (this.#refusal = { message: "", squares: [tap] });
    const speaking = this.#controls.seats.filter(({ choices }) => choices.length);
    const seat = this.#controls.seat ?? (speaking.length === 1 ? speaking[0].seat : null);
    const { match, version } = this.#controls;
    const found = await reason({ match, seat, picks, version });
    if (this.#refusal !== asked) return;
    const tried = { picks: picks.join(","), ...(seat ? { seat: String(seat) } : {}) };
    this.#refusal = found.possible ? null : { ...found, tried, squares: [tap, ...this.#wrong(found.squares)] };
    // The page is behind the match: the taps could mean a different move there.
    if (found.possible) return this.#view.refresh();
    this.#draw();
  }

  /**
   * Return the wrong places that a refusal names, except picks and places of legal moves.
   *
   * @type {(squares: string[]) => string[]}
   */
  #wrong(squares) {
    const right = new Set(this.#onBoard.flatMap(({ fields }) => fields.map(({ text }) => text)));
    return squares.filter((square) => !this.#picks.includes(square) && !right.has(square));
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

  /** Open the dialog of rare actions, whose module is loaded only then. */
  async #more() {
    try {
      const { openMoreDialog } = await import("./match/more_dialog.js");
      openMoreDialog(this.#controls, {
        enter: (...said) => this.#say(...said),
        choose: (choice) => this.#enter(choice),
        changed: () => this.#view.refresh(),
        unsure: this.#unsure,
        doubt: () => ((this.#unsure = !this.#unsure), this.#draw()),
      });
    } catch {
      this.#refusal = { message: NO_NETWORK, squares: [] };
      this.#draw();
    }
  }

  /**
   * Write the name that was tapped; the module for it is loaded only then.
   *
   * @type {(event: Event) => Promise<void>}
   */
  async #name(event) {
    const seat = Number(around(event, "[data-name]")?.dataset.name);
    if (!seat) return;
    try {
      const { askName } = await import("./match/player_names.js");
      askName(this.#controls, seat, () => this.#view.refresh());
    } catch {
      this.#refusal = { message: NO_NETWORK, squares: [] };
      this.#draw();
    }
  }

  /** Keep the screen on where that is allowed. */
  #stayAwake() {
    // The browser releases the screen of a hidden page.
    const awake = () => document.hidden || this.#controls.over || navigator.wakeLock?.request("screen").catch(() => {});
    document.addEventListener("visibilitychange", awake);
    awake();
  }

  /* Moves go to the outbox. */

  /** @type {(entered: Partial<OutboxItem> & { words: string, base?: number }) => void} */
  #put(entered) {
    this.#picks = [];
    this.#outbox.add({ base: this.#base, turn: this.#controls.turn, squares: [], ...entered });
    this.#sender.kick();
  }

  /** @type {(choice: Choice) => void} */
  #enter(choice) {
    const { seat, text: move, fields } = choice;
    const words = choiceWords(choice, this.#controls);
    const picks = fields.map(({ text }) => text);
    const squares = picks.filter((text) => this.#places.has(text));
    const apart = this.#controls.seats.some((each) => each.seat === seat && each.apart);
    if (move === "roll") this.#put({ seat, roll: true, words, apart });
    else this.#put({ seat, text: move, picks, words, squares, apart, ...this.#doubt(choice.unsure) });
  }

  /** @type {(unsure?: boolean) => { unsure?: true }} The doubt about a move, which ends with it. */
  #doubt(unsure) {
    const doubt = unsure || this.#unsure;
    this.#unsure = false;
    return doubt ? { unsure: true } : {};
  }

  /** @type {(seat: number, text: string) => void} */
  #seal(seat, text) {
    this.#put({ seat, text, secret: true, words: `${nameOf(this.#controls.names, seat)}: locked in` });
  }

  /** @type {(seat: number, text: string, words: string) => void} */
  #say(seat, text, words) {
    const who = this.#controls.role === "seat" ? "" : `${nameOf(this.#controls.names, seat)}: `;
    this.#put({ seat, text: `${seat}:${text}`, words: who + words });
  }

  #write() {
    const picks = this.#picks;
    const squares = picks.filter((pick) => this.#places.has(pick));
    this.#put({ seat: this.#controls.seat, picks, words: pickWords(picks, this.#controls), squares, ...this.#doubt() });
  }

  /**
   * Enter dice that were rolled while it is unknown whose turn it will be.
   *
   * @type {(thrown: { text: string, faces: string } | null) => void}
   */
  #roll(thrown) {
    const roll = thrown ? { text: thrown.text, words: `Roll ${thrown.faces.replaceAll(",", " and ")}` } : { roll: true, words: "Roll the dice" };
    this.#put({ seat: this.#controls.seat, ...roll });
  }

  /**
   * Note the stored version; its board may have come with the answer.
   *
   * @type {(version: number, frame?: HTMLElement) => void}
   */
  #advance(version, frame) {
    this.#stored = version;
    this.#catchUp(frame);
    this.#goOn();
  }

  #goOn() {
    if (this.#unguided) this.#picks.push(...this.#early.splice(0));
    this.#draw();
  }

  /**
   * A refused move stays on the list until its author decides, unless it never had to wait: then it
   * is treated like an illegal tap.
   *
   * @type {(item: OutboxItem, problem: OutboxProblem) => Promise<void>}
   */
  async #refused(item, problem) {
    const tap = !problem.stale && !item.late && this.#outbox.items.length === 1;
    if (tap) this.#outbox.discard(item.id);
    this.#goOn();
    await this.#catchUp();
    if (!tap) return;
    const { text, seat } = item;
    const tried = { text: text ?? "", picks: text ? "" : item.picks?.join() ?? "", ...(seat ? { seat: String(seat) } : {}) };
    this.#refusal = { message: problem.detail ?? "", clause: problem.clause, tried, squares: this.#wrong(problem.squares ?? []) };
    this.#draw();
  }

  /**
   * Show the stored version; until it arrives, people can enter moves without guidance.
   *
   * @type {(frame?: HTMLElement) => Promise<void>}
   */
  async #catchUp(frame) {
    await this.#view.refresh(this.#stored, frame);
    this.#behind = this.#view.version < this.#stored;
    if (!this.#behind) return;
    this.#draw();
    setTimeout(() => this.#catchUp(), AGAIN);
  }

  /* A move is taken back, and entered again, at once or not at all. */

  /**
   * Take back the last move, once for two quick taps: a slow device handles the second tap late.
   *
   * @type {(tapped: number) => Promise<void>}
   */
  async #undo(tapped) {
    const again = tapped - this.#undone < TWICE;
    this.#undone = tapped;
    if (again) return;
    const last = this.#outbox.items.at(-1);
    if (last && this.#sender.sending === last.id) return this.#outbox.change(last.id, { cancelled: true });
    if (last) return this.#outbox.discard(last.id);
    const { match, ply, version } = this.#controls;
    await this.#atOnce(() => post(`/matches/${match}/takeback`, { ply: ply - 1, expected: version }));
  }

  async #redo() {
    const { match, version } = this.#controls;
    await this.#atOnce(() => post(`/matches/${match}/redo`, { expected: version }));
  }

  /** @type {(ply: number) => Promise<void>} */
  async #reopen(ply) {
    const { match, version } = this.#controls;
    await this.#atOnce(() => post(`/matches/${match}/amendments`, { ply, how: "replaced", texts: ["--"], expected: version }));
  }

  /** @type {(grant: boolean, seat?: number | null) => Promise<void>} */
  async #answer(grant, seat) {
    const { match, version } = this.#controls;
    const answer = { grant, expected: version, ...(seat ? { seat } : {}) };
    await this.#atOnce(() => post(`/matches/${match}/takeback/answer`, answer));
  }

  /** @type {(work: () => Promise<unknown>) => Promise<void>} */
  async #atOnce(work) {
    /** @type {Refusal | null} */
    let refusal = null;
    this.#release();
    try {
      await work();
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      refusal = { message: error.message, clause: error.problem.clause, squares: [] };
    }
    await this.#view.refresh();
    this.#refusal = refusal;
    this.#draw();
  }
}

/**
 * Return the choices of a seat, each with its seat.
 *
 * @type {(seat: SeatControls, places: Set<string>) => Choice[]}
 */
function listed({ seat, choices, controls }, places) {
  const open = choicesOf([{ seat, choices }], places);
  return controls.backward ? open.map(inAnyOrder) : open;
}

/**
 * Return the picks after a tap without guidance: every tap counts, and a second tap on the last
 * pick removes it.
 *
 * @type {(picks: string[], text: string) => string[]}
 */
function freely(picks, text) {
  return picks.at(-1) === text ? picks.slice(0, -1) : [...picks, text];
}

/** The key of the match without an address that this page records. */
function unopenedHere() {
  return location.hash.slice(1);
}

const root = find(document, "main.match");
new Recorder(root, root.dataset.secret ? (await import("./match/secrets.js")).Secrets : undefined);
