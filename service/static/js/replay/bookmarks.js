/**
 * The positions that were bookmarked during play, with a button to the next bookmark without a
 * comment.
 */

import { button, find, findAll } from "../shared/elements.js";

/**
 * Offer a button to the bookmarks while there are any.
 *
 * @type {(root: HTMLElement, player: import("./player.js").Player) => void}
 */
export function offerBookmarks(root, player) {
  const list = find(root, "[data-player=list]");
  const go = button("", () => {
    const ids = bookmarked(list).map(({ id }) => id);
    player.visit(ids[(ids.indexOf(player.here.element.id) + 1) % ids.length]);
    scrollTo({ top: 0 });
  });
  go.dataset.part = "bookmarks";
  list.before(go);
  const draw = () => {
    const count = bookmarked(list).length;
    go.hidden = !count;
    go.textContent = count === 1 ? "1 moment to comment ›" : `${count} moments to comment ›`;
  };
  root.addEventListener("shown", draw);
  draw();
}

/** @type {(list: HTMLElement) => HTMLElement[]} */
function bookmarked(list) {
  return findAll(list, "[data-bookmark]");
}
