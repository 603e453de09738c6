/** Shows the players' portraits of this device on every page, if it has any. */

import { recall } from "./shared/device_memory.js";

if (Object.keys(recall("plybook.portraits") ?? {}).length) import("./shared/portraits.js").then(({ watchPortraits }) => watchPortraits());
