/** Buttons that give an address away: copied, or by the device's own way of sharing. */

import { button } from "./elements.js";

/**
 * Make buttons that give away the text of a field. `report(words)` is called with the result.
 *
 * @type {(field: HTMLInputElement | HTMLTextAreaElement, title: string, report: (words: string) => void) => HTMLButtonElement[]}
 */
export function shareButtons(field, title, report) {
  const copy = button("Copy the link", async () => report(await copied(field)));
  const share = button("Send the link", () => navigator.share({ title, url: field.value }).catch(() => {}));
  // Browsers share from secure addresses only.
  return "share" in navigator ? [share, copy] : [copy];
}

/** @type {(field: HTMLInputElement | HTMLTextAreaElement) => Promise<string>} */
async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return "Copied.";
  } catch { /* no clipboard at this address: the old way */ }
  field.focus();
  field.setSelectionRange(0, field.value.length);
  return document.execCommand("copy") ? "Copied." : "Hold the marked link to copy it.";
}
