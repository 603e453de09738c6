/**
 * Modes of the board: it ignores taps in reading mode, and passes them to the tool for drawing or
 * correcting. One tool is open at a time, below the board.
 */

import { listenForTaps } from "../board/tappable_board.js";
import { fitBoard } from "../board/board_fit.js";
import { around } from "../shared/elements.js";

/**
 * Add `begin`, `end` and `busy` to a page; taps and drags go to the active mode.
 *
 * @type {(page: Reading) => ModalReading}
 */
export function addModes(page) {
  const { stage, desk, root } = page;
  /** @type {HTMLElement | null} */
  const tools = root.querySelector("[data-part=tools]");
  const fitted = fitBoard(root, desk);
  /** @type {BoardMode | null} */
  let mode = null;
  /** @type {BoardMode | null} what taps do while no tool is open */
  let idle = null;
  /** @type {HTMLElement | null} */
  let from = null;

  listenForTaps(stage, {
    tap: (text, thing) => (mode ?? idle)?.tap(text, thing),
    release: () => mode && cancel(),
  });
  const cancel = () => {
    end();
    page.player.refresh();
  };

  // A tap of a reader must not take the arrow keys away from the player.
  stage.addEventListener("mousedown", (event) => mode || event.preventDefault());
  stage.addEventListener("pointerdown", (event) => {
    from = (mode ?? idle)?.drag ? around(event, ".pb-cell") : null;
  });
  stage.addEventListener("pointerup", ({ clientX, clientY }) => {
    const start = from?.dataset.at;
    const end = from && document.elementFromPoint(clientX, clientY)?.closest(".pb-cell")?.dataset.at;
    if (start && end && start !== end) (mode ?? idle)?.drag?.(start, end);
    from = null;
  });

  /** @type {ModalReading["begin"]} */
  const begin = (name, panel, wanted) => {
    end();
    mode = wanted;
    root.dataset.mode = name;
    if (tools) tools.hidden = true;
    desk.append(panel);
    fitted();
  };
  const end = () => {
    const panel = desk.querySelector(".panel");
    const focused = panel?.contains(document.activeElement) || stage.contains(document.activeElement);
    /** @type {HTMLElement | null | undefined} */
    const tool = tools?.querySelector("summary");
    mode = null;
    delete root.dataset.mode;
    panel?.remove();
    if (tools) tools.hidden = false;
    fitted();
    if (panel && focused) tool?.focus({ preventScroll: true });
  };
  return { ...page, begin, end, rest: (wanted) => (idle = wanted), busy: () => mode !== null };
}
