/** Keeps the screen on while a match is recorded, where the browser allows it. */

/**
 * Keep the screen on as long as `wanted` says so. A page that is hidden lets go by itself, and asks
 * again when it is seen.
 *
 * @type {(wanted: () => boolean) => void}
 */
export function keepAwake(wanted) {
  const ask = async () => {
    if (document.hidden || !wanted()) return;
    try {
      await navigator.wakeLock.request("screen");
    } catch {
      // The battery is low, or it is forbidden: the screen goes dark as usual.
    }
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}
