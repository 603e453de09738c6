/** Two boards beside each other: the keys step both, and on a phone the same one stays in sight. */

const SIDE = "plybook-side";
const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

for (const side of document.querySelectorAll("input[name=side]")) {
  side.checked = side.id === (recalled() ?? "one");
  side.addEventListener("change", () => keep(side.id));
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
  document.querySelector(`.steps [data-go=${KEYS[event.key] ?? "nothing"}][href]`)?.click();
});

function recalled() {
  try {
    return sessionStorage.getItem(SIDE);
  } catch {
    return null;
  }
}

function keep(side) {
  try {
    sessionStorage.setItem(SIDE, side);
  } catch {
    // Where nothing may be kept the first is shown each time.
  }
}
