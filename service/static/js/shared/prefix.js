/**
 * The path under which a reverse proxy serves Plybook, like "/plybook"; empty at the root of a host.
 *
 * An address for a link, a picture, a stream or `location` is `${prefix}/m/${match}`. Requests by
 * `http.js` have it already.
 */
export const prefix = document.documentElement.dataset.prefix ?? "";
