/** Loads what this device has or wants on every page: the players' portraits, and alerts. */

import { recall } from "./shared/device_memory.js";

if (Object.keys(recall("plybook.portraits") ?? {}).length) import("./shared/portraits.js").then(({ watchPortraits }) => watchPortraits());
if (recall("plybook.alerts")) import("./match/alerts.js").then(({ watchMatch }) => watchMatch());
