"""Size of the web app and time until it is usable.

    python -m bench.web [--write docs/benchmarks.md]

A real browser with an empty cache and the real server on loopback. Transfer sizes are those the
browser reports. A page is usable when its message field has the focus; an empty page is measured
for comparison. Scrolling through 10,000 messages is measured as time per frame.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from bench.common.report import machine, parse_target, publish, table, verdict
from bench.http.processes import start_process
from recollect.core.types import MessageIn, Role
from recollect.server.static import STATIC
from recollect.sync import Recollect
from tests.browser.conftest import ARGUMENTS
from tests.browser.install import chromium_path
from tests.browser.pages import SCRIPT_BYTES

_VISITS = 15
_MANY = 10_000
_MAX_SCRIPT_BYTES = 350_000
_COMPOSER = "textarea:focus"
_SCROLL = """async () => {
  const view = document.querySelector(".transcript");
  const frames = [];
  let last = await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < 240; frame += 1) {
    view.dispatchEvent(new WheelEvent("wheel"));
    view.scrollTop -= 120;
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    last = now;
  }
  return frames;
}"""


@dataclass(slots=True)
class Result:
    script: int = 0
    empty: list[float] = field(default_factory=list)
    home: list[float] = field(default_factory=list)
    short: list[float] = field(default_factory=list)
    long: list[float] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)


def main() -> None:
    target = parse_target(__doc__)
    with _server() as (url, short, long), _browser() as browser:
        result = Result()
        for _ in range(_VISITS):
            result.empty.append(_visit(browser, f"{url}/healthz", "pre"))
            result.home.append(_visit(browser, url, _COMPOSER))
            result.short.append(_visit(browser, f"{url}/c/{short}", "[data-message='20']"))
            result.long.append(_visit(browser, f"{url}/c/{long}", f"[data-message='{_MANY}']"))
        result.script = _script(browser, url)
        result.frames = _scroll(browser, f"{url}/c/{long}")
    publish("web", _text(result), target)


@contextmanager
def _server() -> Iterator[tuple[str, str, str]]:
    """Start a server with a short and a long conversation."""
    roles: tuple[Role, Role] = ("user", "assistant")
    messages = [
        MessageIn(role=roles[n % 2], content=f"Number {n}. " + "On and on. " * (n % 40))
        for n in range(1, _MANY + 1)
    ]
    with TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/recollect.db"
        with Recollect.open(database) as memory:
            create = memory.conversations.create_conversation
            short = create("Short", user_id="local", messages=messages[:20]).id
            long = create("Long", user_id="local", messages=messages).id
        argument_parser = ("recollect", "serve", "--port", "0", "--database", database)
        quiet = {"RECOLLECT_WORKER": "false", "RECOLLECT_EMBEDDER": "none"}
        with start_process(*argument_parser, variables=quiet) as url:
            yield url, short, long


@contextmanager
def _browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        yield browser
        browser.close()


def _visit(browser: Browser, url: str, sign: str) -> float:
    """Return the milliseconds from the request until the page is usable."""
    page = browser.new_context().new_page()
    page.add_init_script(
        f"""new MutationObserver((_, watching) => {{
          if (!document.querySelector({sign!r})) return;
          watching.disconnect();
          requestAnimationFrame(() => {{ window.usableAt = performance.now(); }});
        }}).observe(document, {{subtree: true, childList: true, attributes: true}});
        addEventListener("focusin", () => document.documentElement.dataset.focus = "in");"""
    )
    page.goto(url)
    usable = page.wait_for_function("() => window.usableAt").json_value()
    page.context.close()
    return float(usable)


def _script(browser: Browser, url: str) -> int:
    page = _opened(browser, url, _COMPOSER)
    size = int(page.evaluate(SCRIPT_BYTES))
    page.context.close()
    return size


def _scroll(browser: Browser, url: str) -> list[float]:
    page = _opened(browser, url, f"[data-message='{_MANY}']")
    frames: list[float] = page.evaluate(_SCROLL)
    page.context.close()
    return frames


def _opened(browser: Browser, url: str, sign: str) -> Page:
    page = browser.new_context().new_page()
    page.goto(url)
    page.wait_for_selector(sign)
    page.wait_for_load_state("networkidle")
    return page


def _text(result: Result) -> str:
    base = median(result.empty)
    rows = [
        [name, f"{median(times):.0f} ms", f"{median(times) - base:.0f} ms", f"{max(times):.0f} ms"]
        for name, times in [
            ("An empty page", result.empty),
            ("The first page", result.home),
            ("A conversation of 20 messages", result.short),
            ("A conversation of 10,000 messages", result.long),
        ]
    ]
    worst = quantiles(result.frames, n=20)[-1]
    sizes = [
        [name, f"{_size(suffix, plain=True) / 1000:.0f} kB", f"{_size(suffix) / 1000:.0f} kB"]
        for name, suffix in [("scripts", ".js"), ("styles", ".css")]
    ]
    return "\n\n".join(
        [
            machine(),
            table(["time until usable", "median", "more than empty", "slowest"], rows),
            table(["build size", "raw", "compressed"], sizes),
            "\n".join(
                [
                    verdict(
                        result.script <= _MAX_SCRIPT_BYTES,
                        "the first page needs at most 350 kB of compressed script",
                        f"{result.script / 1000:.0f} kB",
                    ),
                    f"- Scrolling through 10,000 messages: half of the frames took at most "
                    f"{median(result.frames):.0f} ms, 95% at most {worst:.0f} ms.",
                ]
            ),
        ]
    )


def _size(suffix: str, *, plain: bool = False) -> int:
    ending = suffix if plain else f"{suffix}.br"
    return sum(file.stat().st_size for file in Path(STATIC, "assets").glob(f"*{ending}"))


if __name__ == "__main__":
    main()
