/**
 * The home page: a link with a match in it leads to where matches are brought in, matches that were
 * started without a network are shown, and at secure addresses Plybook can be kept on this device.
 */

import { partsOf } from "./shared/elements.js";
import { prefix } from "./shared/prefix.js";
import { hasRecord } from "./shared/record_link.js";

if (hasRecord()) location.replace(`${prefix}/library/import${location.hash}`);

const { keep, insecure } = partsOf(document);
if (keep && isSecureContext && "serviceWorker" in navigator) {
  keep.hidden = false;
  insecure.hidden = true;
}

try {
  if (localStorage.getItem("plybook.unopened")) (await import("./match/unopened.js")).showUnopened();
} catch {
  // Without storage there are no matches that the browser started.
}
