/**
 * The home page: a link with a match in it leads to where matches are brought in, and matches that
 * were started without a network are shown.
 */

import { prefix } from "./shared/prefix.js";
import { hasRecord } from "./shared/record_link.js";

if (hasRecord()) location.replace(`${prefix}/library/import${location.hash}`);

try {
  if (localStorage.getItem("plybook.unopened")) (await import("./match/unopened.js")).showUnopened();
} catch {
  // A browser without storage has started none.
}
