/**
 * What taps on the board mean just now. While one reads, nothing; while one draws or corrects, they
 * go to that. One thing is done at a time, in the desk below the board.
 */

import { listen } from "./board.js";
import { fit } from "./fitting.js";

/** Give what is known of a page `begin`, `end` and `busy`; taps and drags go to what was begun. */
export function withModes(reading) {
  const { stage, desk, root } = reading;
  const tools = desk.querySelector("[data-part=tools]");
  const fitted = fit(root, desk);
  let mode = null;
  let from = null;

  listen(stage, {
    tap: (text, thing) => mode?.tap(text, thing),
    release: () => mode && cancel(),
  });
  const cancel = () => {
    reading.end();
    reading.player.refresh();
  };

  // A tap while one reads must not take the arrow keys away from the player.
  stage.addEventListener("mousedown", (event) => mode || event.preventDefault());
  stage.addEventListener("pointerdown", (event) => {
    from = mode?.drag ? event.target.closest(".pb-cell") : null;
  });
  stage.addEventListener("pointerup", ({ clientX, clientY }) => {
    const to = from && document.elementFromPoint(clientX, clientY)?.closest(".pb-cell");
    if (to && to.dataset.at !== from.dataset.at) mode.drag(from.dataset.at, to.dataset.at);
    from = null;
  });

  reading.begin = (name, panel, taps) => {
    reading.end();
    mode = taps;
    root.dataset.mode = name;
    if (tools) tools.hidden = true;
    desk.append(panel);
    fitted();
  };
  reading.end = () => {
    const panel = desk.querySelector(".panel");
    const focused = panel?.contains(document.activeElement) || stage.contains(document.activeElement);
    const tool = tools?.querySelector(`[data-mode-of=${root.dataset.mode}]`);
    mode = null;
    delete root.dataset.mode;
    panel?.remove();
    if (tools) tools.hidden = false;
    fitted();
    if (panel && focused) tool?.focus({ preventScroll: true });
  };
  reading.busy = () => mode !== null;
}
