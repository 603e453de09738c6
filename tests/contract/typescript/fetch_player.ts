/** Play with openapi-fetch upon the types of openapi-typescript. */

import createClient from "openapi-fetch";

import type { paths } from "./generated/schema.js";
import { playAll, type Refusal } from "./match_player.js";

const url = process.argv[2] ?? "";
const api = createClient<paths>({ baseUrl: url });

await playAll(
  {
    async open(opening) {
      const { data, error } = await api.POST("/matches", { body: opening });
      if (!data) throw new Error(error.detail);
      return data;
    },
    async enter(match, token, entry, expected) {
      const { data, error, response } = await api.POST("/matches/{match}/events", {
        params: { path: { match }, header: { "If-Match": `"${expected}"` } },
        headers: { Authorization: `Bearer ${token}` },
        body: { events: [entry] },
      });
      if (data && "ply" in data) return data;
      if (response.status === 409) return error as Refusal;
      throw new Error(JSON.stringify(data ?? error));
    },
    async show(match) {
      const { data, error } = await api.GET("/matches/{match}", { params: { path: { match } } });
      if (!data) throw new Error(error.detail);
      return data;
    },
  },
  url,
);
