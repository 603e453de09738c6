/** The page of a match for who looks on: it goes along with what is recorded elsewhere. */

import { listen, settle, stopOf } from "./board.js";
import { Table } from "./table.js";

const root = document.querySelector("main.match");

let stop;
const shown = (frame) => {
  settle(frame, stop);
  stop = stopOf(frame);
};
const table = new Table(root, { shown });
listen(table.frame.parentNode, { tap: () => {}, release: () => document.activeElement?.blur() });
// A page at an address shows that address; only the head moves on.
if (root.dataset.head) table.follow();
