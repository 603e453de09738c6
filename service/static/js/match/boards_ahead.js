/**
 * Boards ahead of the server: moves that wait for the network are shown as if they were stored.
 *
 * The nearest boards come from the server while there is a network (service/pages/ahead.py), with
 * the legal moves upon each. Boards beyond the nearest are sketches of what was entered.
 */

import { get } from "../shared/http.js";
import { find } from "../shared/elements.js";
import { addressOf, dataOf } from "../board/frames.js";
import { bodyOf } from "../shared/words.js";
import { sketch } from "./board_sketch.js";

/** @typedef {{ version: number, parts: string[], nodes: { frame: number[], next: Record<string, number> }[] }} Tree */

export class BoardsAhead {
  /** @type {Tree} */
  #tree = { version: -1, parts: [], nodes: [] };
  /** @type {Map<string, number>} Of the known moves that look alike, how many more end a turn than do not. */
  #ends = new Map();
  /** The place of the match in the tree, and the match's version there. */
  #node = 0;
  #version = -1;
  /** @type {{ key: string, frame: HTMLElement, sure: boolean } | null} The latest that was asked for. */
  #latest = null;

  /** The version of the match for which boards are known. */
  get version() {
    return this.#version;
  }

  /**
   * Fetch the boards after the head of a match. Rejects `HttpError`.
   *
   * @type {(address: string) => Promise<void>}
   */
  async load(address) {
    this.#tree = await get(address);
    this.#node = 0;
    this.#version = this.#tree.version;
    this.#latest = null;
    for (const [move, node] of this.#tree.nodes.flatMap(({ next }) => Object.entries(next))) {
      const look = lookOf([bodyOf(move)]);
      this.#ends.set(look, (this.#ends.get(look) ?? 0) + (this.#awaits(node).includes(move[0]) ? -1 : 1));
    }
  }

  /**
   * Take note that a move was stored as a version.
   *
   * @type {(item: OutboxItem, version: number) => void}
   */
  advance(item, version) {
    const node = this.#next(this.#node, item);
    if (node === undefined || version !== this.#version + 1) this.#version = -1;
    else [this.#node, this.#version] = [node, version];
  }

  /**
   * Return the board after moves that wait upon a stored one, and whether it is sure: as the server
   * would draw it, with the legal moves; `null` for numbers, whose pad needs no board of theirs.
   *
   * @type {(stored: HTMLElement, items: OutboxItem[]) => { frame: HTMLElement, sure: boolean } | null}
   */
  after(stored, items) {
    const { version } = addressOf(stored);
    const key = [version, this.#version, ...items.map(({ id }) => id)].join();
    if (this.#latest?.key !== key) this.#latest = { key, ...this.#find(stored, version, items) };
    return this.#latest.sure || !hasNumbers(stored) ? this.#latest : null;
  }

  /** @type {(stored: HTMLElement, version: number, items: OutboxItem[]) => { frame: HTMLElement, sure: boolean }} */
  #find(stored, version, items) {
    let node = version === this.#version ? this.#node : undefined;
    /** @type {HTMLElement | null} */
    let drawn = null;
    for (const item of items) {
      const next = this.#next(node, item);
      if (next === undefined) drawn = sketch(drawn ?? this.#frame(node) ?? stored, item, this.#ending(item));
      node = next;
    }
    return { frame: this.#frame(node) ?? drawn ?? stored, sure: node !== undefined };
  }

  /** @type {(node: number | undefined, item: OutboxItem) => number | undefined} */
  #next(node, { seat, text, secret }) {
    if (node === undefined || seat === null) return undefined;
    return this.#tree.nodes[node]?.next[`${seat}:${secret ? "" : bodyOf(text ?? "")}`];
  }

  /** @type {(node: number | undefined) => HTMLElement | null} */
  #frame(node) {
    const { frame = [] } = this.#tree.nodes[node ?? -1] ?? {};
    if (!frame.length) return null;
    const markup = frame.map((part) => this.#tree.parts[part]).join("");
    return document.adoptNode(find(new DOMParser().parseFromString(markup, "text/html"), "article.frame"));
  }

  /**
   * Return whether a move ends its turn, as most known moves of its look do; `null` if none is
   * known.
   *
   * @type {(item: OutboxItem) => boolean | null}
   */
  #ending({ picks, text }) {
    const more = this.#ends.get(lookOf(text ? [bodyOf(text)] : picks ?? []));
    return more === undefined ? null : more > 0;
  }

  /** @type {(node: number) => string[]} */
  #awaits(node) {
    const [, awaited = ""] = /data-awaited="([^"]*)"/.exec(this.#tree.parts[this.#tree.nodes[node].frame[0]]) ?? [];
    return awaited.split(",");
  }
}

/**
 * Return whether a player can enter numbers at a board.
 *
 * @type {(frame: HTMLElement) => boolean}
 */
function hasNumbers(frame) {
  /** @type {Controls} */
  const { seats } = dataOf(frame, "record-controls");
  return seats.some(({ controls: { numbers } }) => numbers?.length);
}

/**
 * Return the look of a move: its number of places, or for a move without places its name.
 *
 * @type {(texts: string[]) => string}
 */
function lookOf(texts) {
  const places = texts.flatMap((text) => text.match(/[A-Za-z]\d+/g) ?? []);
  return places.length ? String(places.length) : texts.join().replace(/=.*/, "");
}
