"""Check a page: its requests and logs, the sizes of its controls, and its layout."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.browser.launch import DESKTOP, PHONE, Server
from tests.browser.page_cases import PageCase

SCREENS: dict[str, dict[str, Any]] = {
    "phone-light": {**PHONE, "color_scheme": "light"},
    "phone-dark": {**PHONE, "color_scheme": "dark"},
    "desktop-light": {**DESKTOP, "color_scheme": "light"},
    "desktop-dark": {**DESKTOP, "color_scheme": "dark"},
}

WATCH_POLICY = """
window.broken = [];
document.addEventListener("securitypolicyviolation", (event) =>
  broken.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
"""

TARGETS = """() => {
  const told = (element) => element.outerHTML.slice(0, 120).replace(/\\s+/g, " ");
  const all = "a[href], button, input, select, textarea, summary, .pb-cell[role=button]";
  // While a dialog is open nothing else can be touched.
  const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  const labelled = "[type=radio], [type=checkbox], [type=file]";
  const targets = [...root.querySelectorAll(all)].flatMap((element) => {
    if (element.disabled || element.closest("[hidden], [aria-hidden=true]")) return [];
    // A box is touched by its label, a place by the whole of its square.
    const target = element.matches(labelled) ? element.labels[0] ?? element
      : element.querySelector(":scope > .pb-hit") ?? element;
    const seen = target.checkVisibility({ visibilityProperty: true })
      && !target.closest(".unseen, .skip");
    return seen ? [{ element, target }] : [];
  });
"""

SMALL_TARGETS = (
    TARGETS
    + """
  const [operated] = [...document.querySelectorAll("[data-mode], .match:not(.is-programming)")];
  return targets.flatMap(({ element, target }) => {
    if (element.matches(".pb-cell") && !operated?.contains(element)) return [];
    let { width, height } = target.getBoundingClientRect();
    if (target.matches(".pb-hit")) {
      // The line around it takes touches though it is not drawn.
      const line = parseFloat(getComputedStyle(target).strokeWidth) * target.getScreenCTM().a;
      [width, height] = [width + line, height + line];
    }
    // As WCAG 2.5.8: what stands in a text is as high as its lines; a list of moves is one, too.
    if (isWithinText(element)) return [];
    const least = element.matches(".list a") ? 32 : 43.4;
    return Math.min(width, height) >= least ? [] : [`${width} x ${height}: ${told(element)}`];
  });

  function isWithinText(element) {
    if (!element.matches("a") || getComputedStyle(element).display !== "inline") return false;
    const text = element.closest("p, li, td, th, dd, small, footer, div");
    return text.textContent.trim() !== element.textContent.trim();
  }
}"""
)

COVERED_TARGETS = (
    TARGETS
    + """
  return targets.flatMap(({ element, target }) => {
    scrollTo({ top: 0, behavior: "instant" });
    element.focus();
    target.scrollIntoView({ block: "nearest" });
    const { left, top, width, height } = target.getClientRects()[0];
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    // A cube may lie below others.
    const reached = there?.closest(".pb-cell") ? element.matches(".pb-cell")
      : there && (element.contains(there) || target.contains(there) || there.contains(target));
    return reached ? [] : [`${told(element)} is under ${there ? told(there) : "nothing"}`];
  });
}"""
)
"""The controls that cannot be touched after they are focused and scrolled into view."""

OVERFLOWING = """() => {
  const { clientWidth: wide, scrollWidth } = document.scrollingElement;
  if (scrollWidth <= wide) return [];
  const out = [...document.querySelectorAll("body *")]
    .filter((element) => element.getBoundingClientRect().right > wide + .5);
  return out.map((element) => element.outerHTML.slice(0, 120).replace(/\\s+/g, " "));
}"""


class Faults(NamedTuple):
    """The faults of a page by kind; each item says where it is."""

    logged: list[str]
    elsewhere: list[str]
    failed: list[str]
    small: list[str]
    covered: list[str]
    wider: dict[int, list[str]]
    axe: list[str]


def check_page(browser: Any, server: Server, sight: PageCase, kind: str, judge: Any) -> Faults:
    """Open a page on a kind of screen and check it."""
    context = browser.new_context(base_url=server.url, **SCREENS[kind])
    context.set_default_timeout(45_000)
    context.add_init_script(WATCH_POLICY)
    page = context.new_page()
    if sight.join:
        page.goto(sight.join)
        page.goto("about:blank")
    asked: list[str] = []
    logged: list[str] = []
    failed: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfailed", lambda request: failed.append(f"{request.failure}: {request.url}"))
    page.on("pageerror", lambda error: logged.append(str(error)))
    page.on("console", lambda said: logged.append(f"{said.type}: {said.text}"))
    open_page(page, sight)
    logged += page.evaluate("broken")
    own = (f"{server.url}/", "data:", "blob:")
    found = Faults(
        [words for words in logged if words not in sight.says],
        [url for url in asked if not url.startswith(own)],
        failed,
        page.evaluate(SMALL_TARGETS),
        page.evaluate(COVERED_TARGETS),
        {width: _overflowing(page, width) for width in (360, 320)} if "phone" in kind else {},
        # Last, as axe adds elements to the page.
        [] if judge is None else axe_faults(page, judge),
    )
    context.close()
    return found


def open_page(page: Any, sight: PageCase) -> None:
    """Open a page and do its action."""
    page.goto(sight.path)
    page.wait_for_load_state("load")
    page.wait_for_timeout(500)  # modules add the tappable controls
    if sight.act:
        sight.act(page)
        page.wait_for_timeout(300)


def axe_faults(page: Any, judge: Any) -> list[str]:
    """Return the faults that axe-core finds, each with its place."""
    return [
        f"{fault['impact']} {fault['id']}: {node['html'][:160]} ({node['failureSummary']})"
        for fault in judge.run(page).response["violations"]
        for node in fault["nodes"]
    ]


def _overflowing(page: Any, width: int) -> list[str]:
    page.set_viewport_size({"width": width, "height": 740})
    found: list[str] = page.evaluate(OVERFLOWING)
    return found
