#!/usr/bin/env python3
"""make_page_gallery.py TENON OUT: all models of examples/ on one page, tiles that move under the pointer.

The page is that of `tenon view` with a list of models as its data.
"""
import json
import pathlib
import re
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
DATA = re.compile(r'(<script type="application/json" id="tenon-model">).*?(</script>)', re.S)


def exhibit(path):
    text = path.read_text(encoding="utf-8")
    title = re.search(r"^name: *(.+)$", text, re.M)
    return {"name": path.name, "title": title.group(1).strip("\"'") if title else path.stem, "text": text}


def main():
    program, out = sys.argv[1:]
    models = sorted(EXAMPLES.glob("*.yaml"))
    page = subprocess.run([program, "view", models[0], "--out", "-"], capture_output=True, text=True,
                          check=True).stdout
    data = json.dumps({"files": {}, "gallery": [exhibit(path) for path in models]})
    for letter in "<>&":
        data = data.replace(letter, f"\\u{ord(letter):04x}")
    pathlib.Path(out).write_text(DATA.sub(lambda part: part.group(1) + data + part.group(2), page, count=1),
                                 encoding="utf-8")
    print(f"{out}: {len(models)} mechanisms; open it in a browser")


if __name__ == "__main__":
    main()
