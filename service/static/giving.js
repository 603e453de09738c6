/** Giving an address away: copied, or by the device's own way of sharing. */

import { button } from "./elements.js";

/** Buttons that give away what a text field shows. `told(words)` says what came of it. */
export function giving(field, title, told) {
  const copy = button("Copy the link", async () => told(await copied(field)));
  const share = button("Send", () => navigator.share({ title, url: field.value }).catch(() => {}));
  // Browsers share from secure addresses only.
  return navigator.share ? [share, copy] : [copy];
}

async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return "Copied.";
  } catch { /* no clipboard at this address: the old way */ }
  field.focus();
  field.setSelectionRange(0, field.value.length);
  return document.execCommand("copy") ? "Copied." : "Hold the marked link to copy it.";
}
