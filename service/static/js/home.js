/** The home page: a link with a match in it leads to where matches are brought in. */

import { prefix } from "./shared/prefix.js";
import { hasRecord } from "./shared/record_link.js";

if (hasRecord()) location.replace(`${prefix}/library/import${location.hash}`);
