/** Lets this device keep pages for use without a network, once the page is loaded. */

// Browsers keep pages of secure addresses only; elsewhere there is no `serviceWorker`.
const { serviceWorker } = navigator;
/** From …/static/DIGEST/js/ to the root of all pages: the worker may reach that far. */
const SCRIPT = new URL("../../../service-worker.js", import.meta.url);

function register() {
  serviceWorker.register(SCRIPT).catch(() => {});
}

if (serviceWorker && document.readyState === "complete") register();
else if (serviceWorker) addEventListener("load", register);
