/** The strip of players: whose turn it is, beside clocks that tick by themselves. */

/** Mark who is awaited in a frame that is shown. */
export function turn(players, frame) {
  const awaited = new Set(frame.dataset.awaited.split(","));
  for (const player of players.children) {
    const due = awaited.has(player.dataset.seat);
    player.classList.toggle("is-awaited", due);
    if (due) player.setAttribute("aria-current", "true");
    else player.removeAttribute("aria-current");
  }
}

/** Tell people who hear the page what happened and who is to move. */
export function announce(news, frame) {
  const parts = [".told", ".standing"].map((part) => frame.querySelector(part)?.textContent.trim());
  news.textContent = parts.filter(Boolean).join(". ");
}
