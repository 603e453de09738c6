/**
 * Imports matches from the page of another Plybook that opened this page, once the person agrees.
 */

/** @typedef {{ origin: string, count: number, fetchArchive: (index: number) => Promise<string>, end: (failed: number) => void }} Offer */

/**
 * Wait for the offer of the page that opened this page; without such a page no offer comes.
 *
 * @type {(take: (offer: Offer) => void) => void}
 */
export function awaitOffer(take) {
  // In a tab without a server, the page is in the frame of another page.
  const opener = window.top?.opener;
  if (!opener) return;
  /** @type {Map<number, (content: string) => void>} */
  const waiting = new Map();
  let isTaken = false;
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== opener) return;
    /** @type {(message: object) => void} */
    const send = (message) => opener.postMessage(message, origin);
    if (data?.handover === "archive") waiting.get(data.index)?.(String(data.content));
    if (data?.handover !== "offer" || isTaken) return;
    isTaken = true;
    take({
      origin,
      count: Number(data.count),
      fetchArchive: (index) => new Promise((resolve) => {
        waiting.set(index, resolve);
        send({ handover: "fetch", index });
      }),
      end: (failed) => send({ handover: "done", failed }),
    });
  });
  // This says only that the page is open, so any page may know it.
  opener.postMessage({ handover: "ready" }, "*");
}
