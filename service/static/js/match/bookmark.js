/** Bookmarks set while playing: the last move is marked in one tap, to be commented later. */

import { HttpError, post, remove } from "../shared/http.js";

/** @type {Map<number, string>} The bookmarks of this page: their ids by ply. */
const made = new Map();

/**
 * Bookmark the ply that is shown, or take its bookmark away again. Returns the message to show.
 *
 * @type {(button: HTMLButtonElement, controls: Controls) => Promise<string>}
 */
export async function toggleBookmark(button, { match, ply }) {
  const address = `/matches/${match}/annotations`;
  const there = made.get(ply);
  try {
    if (there) await remove(`${address}/${there}`);
    else made.set(ply, (await post(address, { ply, bookmark: true })).annotations[0].id);
  } catch (error) {
    // Another page has set or removed the bookmark already, so there is no work left.
    if (!(error instanceof HttpError) || ![400, 404].includes(error.status)) throw error;
  }
  if (there) made.delete(ply);
  button.dataset.marked = there ? "" : String(ply);
  return there ? "Bookmark removed" : "To comment later";
}
