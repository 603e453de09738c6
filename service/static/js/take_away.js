/** The page that takes matches away: its link saves a file, its form hands them over. */

import { find } from "./shared/elements.js";
import { handOver } from "./shared/hand_over.js";

if (document.querySelector("[data-part=hand-over]")) handOver(find(document, "main"));
