/** Play with the functions that hey-api generates. */

import { createClient } from "./generated/sdk/client/index.js";
import { enterEvents, openAMatch, showMatch } from "./generated/sdk/sdk.gen.js";
import type { EventEntry as SdkEntry } from "./generated/sdk/types.gen.js";
import { playAll, type Refusal } from "./match_player.js";

const url = process.argv[2] ?? "";
const spectator = createClient({ baseUrl: url });

await playAll(
  {
    async open(opening) {
      const { data } = await openAMatch({ client: spectator, body: opening, throwOnError: true });
      return data;
    },
    async enter(match, token, entry, expected) {
      const { data, error, response } = await enterEvents({
        client: createClient({ baseUrl: url, auth: token }),
        path: { match },
        headers: { "If-Match": `"${expected}"` },
        body: { events: [entry as SdkEntry] },
      });
      if (data && "ply" in data) return data;
      if (response?.status === 409) return error as Refusal;
      throw new Error(JSON.stringify(data ?? error));
    },
    async show(match) {
      const { data } = await showMatch({ client: spectator, path: { match }, throwOnError: true });
      return data;
    },
  },
  url,
);
