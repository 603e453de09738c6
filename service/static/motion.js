/**
 * Pieces that are seen to move from one frame to the next. They are known by what they are, not by
 * name: what one place has lost and another has gained has gone from here to there.
 */

const SLIDE = 320;

/** Let what differs between two frames of one board slide, appear and vanish. */
export function move(before, frame) {
  const board = frame.querySelector(".pb-live");
  const old = places(before);
  const now = places(frame);
  if (!board || !now.size || !sameBoard(old, now)) return;
  const lost = surplus(old, now);
  const gained = surplus(now, old);
  const above = board.appendChild(svg("g"));
  for (const piece of gained) {
    const origin = nearest(lost, piece);
    if (origin) lost.splice(lost.indexOf(origin), 1);
    if (origin) slide(above, origin, piece);
    else appear(piece);
  }
  for (const piece of lost) vanish(above, piece);
  setTimeout(() => above.remove(), SLIDE + 200);
}

function places(frame) {
  const found = new Map();
  for (const cell of frame.querySelectorAll(".board .pb-cell")) {
    const pieces = [...cell.querySelectorAll(".pb-piece[data-piece]")];
    found.set(cell.dataset.at, { cell, pieces });
  }
  return found;
}

function sameBoard(old, now) {
  return old.size === now.size && [...old.keys()].every((at) => now.has(at));
}

/** The pieces that places of `some` hold more of than those of `others`. */
function surplus(some, others) {
  const found = [];
  for (const [at, { cell, pieces }] of some) {
    const there = others.get(at).pieces.map((piece) => piece.dataset.piece);
    for (const piece of pieces) {
      const same = there.indexOf(piece.dataset.piece);
      if (same < 0) found.push({ at, cell, piece, kind: piece.dataset.piece, ...position(piece) });
      else there.splice(same, 1);
    }
  }
  return found;
}

function nearest(pieces, { kind, x, y }) {
  const far = (piece) => Math.hypot(piece.x - x, piece.y - y);
  return pieces.filter((piece) => piece.kind === kind).sort((a, b) => far(a) - far(b))[0];
}

/** Where a piece stands in the units of its board: its own translation and those it lies in. */
function position(piece) {
  let [x, y] = [0, 0];
  for (let node = piece; node && node.nodeName !== "svg"; node = node.parentNode) {
    const [, dx, dy] = /translate\(([-\d.]+)[ ,]+([-\d.]+)/.exec(node.getAttribute("transform")) ?? [];
    x += Number(dx ?? 0);
    y += Number(dy ?? 0);
  }
  return { x, y };
}

/** Let a copy slide above everything, as what is drawn later covers what is drawn before. */
function slide(above, from, to) {
  const copy = lifted(above, to);
  to.piece.style.visibility = "hidden";
  const at = ({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` });
  const sliding = copy.animate([at(from), at(to)], {
    duration: SLIDE,
    easing: "cubic-bezier(.3, .1, .2, 1)",
  });
  const landed = () => ((to.piece.style.visibility = ""), copy.remove());
  sliding.finished.then(landed, landed);
}

function appear({ cell }) {
  cell.classList.add("is-new");
  setTimeout(() => cell.classList.remove("is-new"), 500);
}

function vanish(above, gone) {
  const copy = lifted(above, gone);
  copy.classList.add("is-gone");
}

function lifted(above, { piece, x, y }) {
  const copy = svg("g");
  copy.setAttribute("transform", `translate(${x} ${y})`);
  copy.setAttribute("pointer-events", "none");
  copy.append(piece.cloneNode(true));
  return above.appendChild(copy);
}

function svg(name) {
  return document.createElementNS("http://www.w3.org/2000/svg", name);
}
