/** Modal dialogs of the pages of a match: Back closes the dialog and does not leave the page. */

const MATCH = "match";
const DIALOG = "dialog";

/**
 * Open a dialog; it is removed when it is closed.
 *
 * An entry of the history stands for dialogs. The entry stays when a dialog is closed by its
 * buttons, because stepping back could then stop a navigation; the next dialog uses it again.
 *
 * @type {(dialog: HTMLDialogElement) => void}
 */
export function openModal(dialog) {
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  if (history.state === DIALOG) return;
  history.replaceState(MATCH, "");
  history.pushState(DIALOG, "");
}

addEventListener("popstate", ({ state }) => {
  if (state !== MATCH) return;
  /** @type {HTMLDialogElement | null} */
  const dialog = document.querySelector("dialog[open]");
  if (dialog) dialog.close();
  else history.back();
});
