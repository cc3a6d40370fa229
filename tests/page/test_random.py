#!/usr/bin/env python3
"""Mouse and keys at random over the whole page: it complains of nothing, stays whole, and undo leads back to the first text.

--minutes M: so long instead of some seconds, with other seeds each round and a look at the heap. --seed N: the first seed.
"""
import argparse
import random
import sys
import time
import unittest

from desk import Desk, ROOT

MINUTES, SEED = 0.0, 7
ACTS = 90  # of a round
ROUNDS = 2
HEAP = 40  # MB that the heap may grow by from a quarter of the time on: what the present model takes differs
KEYS = ["Escape", "Enter", "Tab", "Delete", " ", ".", "r", "l", "+", "-", "f", "x", "y", "z", "d", "?", *"123456", *"bgpvjxsorkdwqmftecain", "ArrowUp",
        "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End"]
CODES = {"Escape": 27, "Enter": 13, "Tab": 9, "Delete": 46, "ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39, "PageUp": 33, "PageDown": 34,
         "Home": 36, "End": 35}
TYPED = ["0", "-1", "1e9", "30 deg", "2 in", "=1/0", "nonsense", "<b>x</b>", "'", "}{", "0.5 rad", "100 mm"]
MODELS = ["four_bar_linkage", "planar_crank", "double_pendulum", "excavator"]


class Random(Desk):
    def act(self, dice):
        """One act of the hand."""
        kind, page = dice.random(), self.page
        place = (dice.uniform(2, 1098), dice.uniform(2, 658))
        if kind < 0.30:
            page.press(place)
        elif kind < 0.40:
            page.press(place, *[(place[0] + dice.uniform(-150, 150), place[1] + dice.uniform(-150, 150)) for _ in range(3)])
        elif kind < 0.60:
            found = page.run("""[...document.querySelectorAll("button, summary, [role=tab], input, select")].filter((it) => it.getClientRects().length > 0 &&
                !it.disabled && !it.closest("[inert]")).length""")
            page.run("""(() => { const all = [...document.querySelectorAll("button, summary, [role=tab], input, select")].filter((it) =>
                it.getClientRects().length > 0 && !it.disabled && !it.closest("[inert]")), one = all[%d];
                if (!one) return;
                if (one.tagName === "SELECT") {
                    one.selectedIndex = %d %% one.options.length;
                    one.dispatchEvent(new Event("change"));
                } else if (one.type !== "file") {
                    one.focus();
                    one.click();
                } })()""" % (dice.randrange(max(1, found)), dice.randrange(100)))
        elif kind < 0.70:
            page.mouse("Wheel", *place, deltaX=0, deltaY=dice.choice([-240, -120, 120, 240]), button="none", buttons=0)
        elif kind < 0.78:
            page.call("Input.insertText", {"text": dice.choice(TYPED)})
        elif kind < 0.84:
            page.key("z", modifiers=2 + 8 * (dice.random() < 0.4))
        else:
            key = dice.choice(KEYS)
            more = {"windowsVirtualKeyCode": CODES[key], "code": key} if key in CODES else {}
            page.key(key, modifiers=8 * (dice.random() < 0.1), **more)

    def begin(self, dice):
        """Another document: what it is opened with is kept, so that undo can be judged."""
        self.page.run("""(() => { if (window.firstText !== undefined) return;
            window.firstText = "";
            const read = tenon.read.bind(tenon);
            tenon.read = async (text, name, settings, again, ...more) => {
                const found = await read(text, name, settings, again, ...more);
                if (again === "")
                    firstText = text;
                return found;
            };
            tenon.setLanguage = async () => {}; /* it opens the page anew */
            window.print = window.alert = () => {};
            delete window.showOpenFilePicker;
            HTMLInputElement.prototype.showPicker = () => {}; })()""")
        self.keep_downloads()
        model = dice.choice(MODELS)
        self.load((ROOT / "examples" / f"{model}.yaml").read_text(encoding="utf-8"), f"{model}.yaml")

    def back(self, seed):
        """Undoes all there is."""
        page = self.page
        page.run("document.querySelectorAll('dialog').forEach((one) => one.close())")
        page.run("(tenon.pause(), tenon.start.close(), tenon.showMotion(null))")
        self.settle()
        for _ in range(3000):
            if page.run("!tenon.frame || !tenon.frame.canUndo"):
                break
            page.run("tenon.undo()")
        if page.run("tenon.model !== null && tenon.frame.canUndo === false && tenon.recorded === ''"):
            self.assertEqual(*page.run("[tenon.source, firstText]"), f"seed {seed}")

    def heap(self):
        self.page.call("HeapProfiler.collectGarbage")
        now = self.page.call("Runtime.getHeapUsage")
        return (now["usedSize"] + now.get("backingStorageSize", 0)) / 1e6

    def scramble(self, seed, acts=ACTS):
        dice = random.Random(seed)
        self.begin(dice)
        for k in range(acts):
            self.act(dice)
            self.assertEqual(self.page.messages, [], f"seed {seed}, act {k}")
        self.settle()
        self.assertEqual(self.page.messages, [], f"seed {seed}")
        self.assertFalse(self.page.run("document.querySelector('#app pre') !== null"))
        self.back(seed)
        self.assertEqual(self.page.messages, [], f"seed {seed}, undone")

    def test_anything_that_a_hand_may_do(self):
        self.page.call("Page.setInterceptFileChooserDialog", {"enabled": True})
        seed, end, sizes = SEED, time.time() + 60 * MINUTES, []
        while seed < SEED + ROUNDS or time.time() < end:
            self.scramble(seed)
            seed += 1
            sizes.append((time.time(), self.heap()))
        if MINUTES > 0:
            late = [size for when, size in sizes if when > end - 45 * MINUTES]
            print(f"\n{seed - SEED} rounds of {ACTS} acts; heap {sizes[0][1]:.1f}, {late[0]:.1f}, {late[-1]:.1f} MB at most {max(late):.1f}")
            self.assertLess(late[-1], late[0] + HEAP)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--seed", type=int, default=SEED)
    options, rest = parser.parse_known_args()
    MINUTES, SEED = options.minutes, options.seed
    unittest.main(argv=[sys.argv[0], *rest])
