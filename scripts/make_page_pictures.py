#!/usr/bin/env python3
"""make_page_pictures.py TENON: docs/pages/*.webp, pictures of pages of `tenon view` for README and docs, taken in a
headless Chromium: an example, what is done with it, and which panel is open."""
import base64
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pages"
sys.path.insert(0, str(ROOT / "tests" / "support"))
import browser  # noqa: E402

RUN = "tenon.client.run({}, tenon.wish()).then(() => tenon.refresh())"
SHOWN = {
    "excavator": [RUN.format(1.0)],
    "four_bar_linkage": ["tenon.wrench = -1", RUN.format(0.3), "tenon.scene.view.look('first')"],
    "jansen": ["tenon.setDark(true)", "tenon.open('text')"],
    "stewart": ["tenon.open('report')", "new Promise((done) => setTimeout(done, 1500))"],
}


def take(page, name):
    for action in SHOWN[name]:
        page.run(action)
    page.run("document.fonts.ready.then(() => tenon.scene.draw(true))")
    page.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    picture = page.call("Page.captureScreenshot", {"format": "webp", "quality": 85})["data"]
    (PICTURES / f"{name}.webp").write_bytes(base64.b64decode(picture))


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, browser.Browser(1000, 600) as chromium:
        for name in SHOWN:
            out = pathlib.Path(folder) / f"{name}.html"
            subprocess.run([program, "view", ROOT / "examples" / f"{name}.yaml", "--out", out], check=True,
                           capture_output=True)
            page = chromium.page(out)
            page.wait("document.documentElement.dataset.ready === 'true'")
            page.run("tenon.tour.end()")
            take(page, name)
            page.close()


if __name__ == "__main__":
    main()
