/**
 * Types that several modules share. The type checker reads them (tests/js/tsconfig.json), no page
 * does. The data in a frame is written by service/pages/frame.py.
 */

/** What every element of our pages has, whether it is of HTML or of SVG. */
interface Element extends HTMLOrSVGElement, ElementCSSInlineStyle {}

/** The names of players by seat. */
type Names = Record<string, string>;

interface Field {
  name: string;
  text: string;
  /** The words of its button, where it is no place. */
  words?: string;
  /** What a page asks for until it is tapped. */
  prompt?: string;
  /** Whether it is a place of the picture. */
  place?: boolean;
  /** Of fields with one sort the first is picked first; by default all places have one sort. */
  sort?: string;
}

/** A legal move of a seat: its text, and what is tapped for it. */
interface Choice {
  seat: number;
  text: string;
  fields: Field[];
  label?: string;
  unsure?: boolean;
}

/** What can be tapped besides the board while the position is not known. */
interface Unguided {
  pieces: string[];
  shapes?: string[];
  endings: Record<string, string>;
}

/** The label of a text in a move (domain/notation.py). */
interface Label {
  text: string;
  words: string;
  sign?: string;
  keys?: string[];
  needs?: string;
}

/** A field of moves that is chosen beside the board. */
interface Picker {
  field: string;
  noun: string;
  labels: Label[];
}

/** A field that is chosen by buttons: those it has, and the texts that go with the picks. */
interface Group {
  name: string;
  noun: string;
  labels: Label[];
  goes: Set<string>;
}

/** What a page offers besides the places of its picture (board/move_choice.js). */
interface Offered {
  done: Choice[];
  groups: Group[];
  spoken: Choice[];
  rolls: Choice[];
  typed: boolean;
}

/* The pad of a secret move, as domain/controls.py explains it. */

interface PadField {
  name: string;
  labels?: Label[];
  text?: string | null;
  before?: string;
  needs?: string;
}

interface PadRow {
  words: string;
  piece: string;
  fields: string[];
  at?: string;
}

interface PadGroup {
  words: string;
  fields: string[];
  hint?: string;
  missing?: string;
}

interface Pad {
  kind: string;
  fields: PadField[];
  prompt?: string;
  rows?: PadRow[];
  groups?: PadGroup[];
  title?: string;
  heads?: string[];
  labels?: Label[];
  steps?: { text: string, starts: string[], ends: string[] }[];
  start?: string;
}

/** A choice that the picks still allow, with the fields that are not picked yet. */
interface OpenChoice {
  choice: Choice;
  free: Field[];
}

/** A kind of move whose text is a number after `before`. */
interface NumberPad {
  kind: string;
  before?: string;
  words?: string;
  chips?: number[];
  unsigned?: boolean;
}

/** A kind of move whose text is `count` of the cards, or one, after `before`. */
interface CardPad {
  kind: string;
  cards: string[];
  before?: string;
  count?: number;
}

/** The controls that a game adds for a seat. */
interface MoveControls {
  turned?: boolean;
  dice?: string[];
  note?: string;
  supplier?: number;
  backward?: boolean;
  pads?: Pad[];
  numbers?: NumberPad[];
  cards?: CardPad;
  buttons?: string[];
}

interface SeatControls {
  seat: number;
  awaited: { what: string; must: boolean }[];
  secret: { kind: string, word: string, before: string }[];
  choices: Omit<Choice, "seat">[];
  controls: MoveControls;
  /** Whether moves of other seats do not put those of this seat out of date. */
  apart?: boolean;
  withheld?: boolean;
  /** Whether there are moves that are listed only once the first place is tapped. */
  begun?: boolean;
  /** The text before the faces of dice that are too many to be listed. */
  rolled?: string;
}

/** What the caller may enter at the head of a match (service/pages/controls.py). */
interface Controls {
  match: string;
  game: string;
  version: number;
  ply: number;
  turn: number;
  role: string;
  seat: number | null;
  names: Names;
  seats: SeatControls[];
  playing: number[];
  offered: number | null;
  accepted: number[];
  dice: string;
  rolls: Record<string, number>;
  claims: string[];
  pickers: Picker[];
  asked: { seat: number; ply: number } | null;
  timed: boolean;
  over: boolean;
  ruled: boolean;
  redo: boolean;
  again: { text: string, words: string, more: number } | null;
  adjustable: boolean;
  unguided: Unguided | null;
  unsent: boolean;
  /** What a dash must have been, as the last entry decided. */
  resumed: { ply: number; text: string } | null;
  unjudged: boolean;
}

/** The clocks of a match; times are in milliseconds. */
interface ClockData {
  now: number;
  clocks: { since: number | null; seats: SeatClock[] };
  waits: Record<string, number>;
  patience: number;
}

interface SeatClock {
  seat: number;
  used: number;
  left: number | null;
  running: boolean;
  ahead?: ClockPhase[];
}

/** What a running clock shows from a time on: `left`, counting down unless a delay runs. */
interface ClockPhase {
  after: number;
  left: number;
  still?: number;
  words?: string;
}

/** A fault in a record that is imported. */
interface Fault {
  record: number;
  line: number;
  column: number;
  message: string;
  clause: string;
  text: string | null;
}

/** An event of the log; what is sealed has no text. */
interface LoggedEvent {
  text: string | null;
  what: string;
  event: { seat?: number };
}

/** The members of an `application/problem+json`. */
interface Problem {
  detail?: string;
  clause?: string;
  squares?: string[];
  version?: number;
  missed?: LoggedEvent[];
  faults?: Fault[];
}

/** Why something was refused, as a notice shows it. */
interface Refusal {
  message: string;
  clause?: string;
  words?: string;
  squares: string[];
  possible?: boolean;
  /** The move that was refused, as far as it is known: its text or its picks, and its seat. */
  tried?: Record<string, string>;
}

/** A move that a phone had not sent when another one took its seat. */
interface UnsentMove {
  id: string;
  seat: number;
  text?: string;
  picks?: string[];
  roll?: boolean;
  unsure?: boolean;
  secret?: boolean;
  late?: boolean;
}

/** What waits to be stored; see match/outbox.js. */
interface OutboxItem {
  id: string;
  seat: number | null;
  text: string | null;
  picks: string[] | null;
  roll?: boolean;
  secret?: boolean;
  apart?: boolean;
  unsure?: boolean;
  words: string;
  squares: string[];
  base: number | null;
  turn: number;
  late: boolean;
  cancelled?: boolean;
  state: "waiting" | "refused" | "held";
  problem?: OutboxProblem | null;
}

type OutboxProblem = Omit<Problem, "missed"> & { stale?: boolean; missed?: string[]; seat?: number };

/** Where a frame is: a ply of a match as it stood at a version, or a step on the way there. */
interface FrameAddress {
  match: string;
  version: number | string;
  ply: number | string;
  step?: number;
}

/** The state of each place now: the texts of places and supplies, by state. */
type PlaceStates = Partial<Record<"open" | "target" | "chosen" | "pending" | "refused", Set<string>>>;

/** The event of a pressed button. */
type Press = MouseEvent & { currentTarget: HTMLButtonElement };

/** The attributes of an element that is made; a function listens to the event it is named after. */
interface Attributes {
  onclick?: (event: Press) => unknown;
  [name: string]: string | number | boolean | null | undefined | ((event: Press) => unknown);
}

/** What the controls of the page of a match can do. */
interface RecordActions {
  tap(text: string): void;
  choose(choice: Choice): void;
  write(): void;
  put(move: UnsentMove & { words: string }): void;
  roll(thrown: { text: string, faces: string } | null): void;
  clear(): void;
  redraw(): void;
  again(): void;
  undo(event: Event): void;
  redo(): void;
  more(): void;
  enter(seat: number, text: string, words: string): void;
  answer(grant: boolean, seat?: number | null): void;
  reopen(ply: number): void;
  retry(item: OutboxItem): void;
  discard(item: OutboxItem): void;
}

/** How the page of a match stands, as its controls are drawn from it. */
interface RecordState {
  controls: Controls;
  choices: Choice[];
  picks: string[];
  frame: HTMLElement;
  items: OutboxItem[];
  /** What is stored, but not on the board yet. */
  arrived: OutboxItem[];
  sender: { unreached: boolean; busy: boolean };
  /** Whether the board shows moves that wait for the network. */
  ahead: boolean;
  busy: boolean;
  unguided: boolean;
  walking: Walk | null;
  /** The frame that pictures led to, until its turn is over. */
  revealed: HTMLElement | null;
}

/** A picture on the way to a frame; `go` leads to the next picture, or past all others. */
interface Walk {
  step: number;
  steps: number;
  go(on: boolean): void;
}

/** The secret part of the controls, where a game has one. */
interface SecretPads {
  open: boolean;
  states: PlaceStates | null;
  asks: string;
  tap(at: string): boolean;
  pads(state: Pick<RecordState, "controls" | "frame" | "revealed">, sealing: Set<number | null>): HTMLElement[];
}

/** What a pad for a secret move is made of. */
interface PadFacts {
  seat: number;
  name: string;
  word: string;
  /** What the seat has to do, in words. */
  task: string;
  before: string;
  frame: HTMLElement;
  draft: import("./match/pad_draft.js").PadDraft;
  walks: import("./match/walks.js").Walks | null;
  boxes: ((facts: PadFacts) => MadePad) | null;
  other: (() => void) | null;
  /** Keep a text that is written in part, in case the pad is covered. */
  keep: (text: string) => void;
  seal: (text: string) => void;
  changed: () => void;
  /** Take the focus of a keyboard to what is chosen after the boxes, and from there to the end. */
  next?: () => void;
}

/** A pad, or a part of one, and how it is drawn again. */
interface MadePad {
  element: HTMLElement;
  draw(): void;
  asks?(): string;
}

/** What taps and drags on the board mean while something is drawn or corrected. */
interface BoardMode {
  tap(text: string, thing: Element): void;
  drag?(from: string, to: string): void;
}

/** The page of a match that is read. */
interface Reading {
  root: HTMLElement;
  desk: HTMLElement;
  stage: HTMLElement;
  role: string;
  marks: Mark[];
  player: import("./replay/player.js").Player;
  refresh(onward?: boolean): Promise<void>;
}

/** The same page once it has modes; see replay/board_modes.js. */
interface ModalReading extends Reading {
  begin(name: string, panel: HTMLElement, mode: BoardMode): void;
  end(): void;
  rest(mode: BoardMode | null): void;
  busy(): boolean;
}

/** A mark of an annotation: an arrow, a circle or a label, and where. */
interface Mark {
  kind: string;
  where: string;
}

/** Who leads the replay of a match, and where; see replay/lead.js. */
interface Leading {
  id: string;
  by: string;
  version: number;
  ply: number;
  marks: Mark[];
}

/** An annotation as the API answers it. */
interface Remark {
  id: string;
  kind: string;
  player?: string;
  author: string;
  text: string | null;
  words?: string;
  edited: boolean;
  history: { text: string | null; author: string; at: string }[];
}

/* What the server puts in front of service_worker.js. */
declare const DIGEST: string;
declare const FILES: string[];
declare const FALLBACK: string;

/* What the builder of a site (service/tab/building.py) puts in front of its service worker. */
declare const VERSION: string;
declare const SITE_FILES: Record<string, { integrity: string; bytes: number }>;
