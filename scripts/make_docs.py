#!/usr/bin/env python3
"""make_docs.py TENON SITE: the site in SITE, of docs/, the comments of the public headers, the docstrings of the Python
package and what the tool says about itself. make_docs.py TENON --stage FOLDER: only the Markdown that it is made of.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "docs"))

import c_reference  # noqa: E402
import python_reference  # noqa: E402

LIVE = ["four_bar_linkage", "excavator", "jansen", "stewart"]  # examples that the site runs
GENERATED = """\
- [Command line](reference/generated/command_line.md), [columns of results](reference/generated/columns.md)
- [C](reference/c/index.md), [Python](reference/generated/python.md)
"""


def tool(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def command_line(program):
    text = tool(program, "help")
    lines = ["# Command line", "", "What `tenon help` prints.", "", "```text", text.strip(), "```", ""]
    for name in re.findall(r"^  ([a-z-]+) ", text, re.M):
        if name not in ("help", "version"):
            lines += [f"## tenon {name}", "", "```text", tool(program, "help", name).strip(), "```", ""]
    return "\n".join(lines)


def columns(program):
    return "\n".join(["# Columns of results", "", "What `tenon help columns` prints.", "", "```text",
                      tool(program, "help", "columns").strip(), "```", ""])


def linked_files(pages):
    """Files outside of docs/ that pages link to."""
    for page in pages:
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
            path = (page.parent / target).resolve()
            if not re.match(r"[a-z]+:", target) and path.is_file() and ROOT in path.parents:
                yield path


def index(text):
    """docs/README.md as the first page: its links from the root, and the tree of pages by its headings."""
    text = text.replace("- [The page of `tenon view`]", GENERATED + "- [The page of `tenon view`]")
    text = re.sub(r"\]\((?!\.\.|[a-z]+:)([^)]+)\)", r"](docs/\1)", text)
    text = text.replace("# Documentation", "# Tenon: documentation", 1)
    live = "\n".join(f'- <a href="{name}.html">{name.replace("_", " ")}</a>' for name in LIVE)
    text = text.replace("## How to", f"Examples that run here, in your browser:\n\n{live}\n\n## How to", 1)
    trees = []
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        title = section.splitlines()[0]
        pages = re.findall(r"\]\((docs/[^)#]+)\.md", section)
        trees.append("\n".join(["```{toctree}", ":hidden:", f":caption: {title}", "", *dict.fromkeys(pages), "```", ""]))
    return text + "\n" + "\n".join(trees)


def stage(program, folder):
    """Everything that Sphinx reads."""
    shutil.copytree(ROOT / "docs", folder / "docs")
    pages = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]
    more = set(linked_files(pages)) | {path for page in list(linked_files(pages)) if page.suffix == ".md" for path in linked_files([page])}
    for path in sorted(more | set(pages)):
        to = folder / path.relative_to(ROOT)
        to.parent.mkdir(parents=True, exist_ok=True)
        if not to.exists():
            shutil.copy(path, to)
    reference = folder / "docs" / "reference"
    for name, text in c_reference.pages(ROOT / "include" / "tenon").items():
        (reference / "c").mkdir(exist_ok=True)
        (reference / "c" / f"{name}.md").write_text(text, encoding="utf-8")
    (reference / "generated").mkdir()
    for name, text in (("command_line", command_line(program)), ("columns", columns(program)),
                       ("python", python_reference.page(ROOT / "bindings" / "python" / "tenon").replace("../../bindings", "../../../bindings"))):
        (reference / "generated" / f"{name}.md").write_text(text, encoding="utf-8")
    (folder / "index.md").write_text(index((ROOT / "docs" / "README.md").read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "docs" / "README.md").unlink()
    shutil.rmtree(reference / "joints" / "text")  # parts of the pages
    for name, pages in (("joints/README.md", sorted((reference / "joints").glob("*.md"))), ("c/index.md", sorted((reference / "c").glob("*.md")))):
        path = reference / name
        listed = "\n".join(page.stem for page in pages if page != path)
        path.write_text(f"{path.read_text(encoding='utf-8')}\n```{{toctree}}\n:hidden:\n\n{listed}\n```\n", encoding="utf-8")
    for page in folder.rglob("*.md"):  # of the project, not of the site
        if folder / "docs" not in page.parents and page.name != "index.md":
            page.write_text("---\norphan: true\n---\n\n" + page.read_text(encoding="utf-8"), encoding="utf-8")
    for page in folder.rglob("*.md"):  # its place is that of the first page
        text = page.read_text(encoding="utf-8")
        up = "../" * len(page.relative_to(folder).parent.parts)
        text = re.sub(r"\]\((?:docs/|(?:\.\./)+(?:docs/)?)README\.md(#[\w-]+)?\)",
                      lambda m: f"]({up}index.md{m.group(1) or ''})" if "docs" in str(page) or "docs/" in m.group(0) else m.group(0), text)
        page.write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "scripts" / "docs" / "conf.py", folder)


def live(program, folder):
    folder.mkdir()
    for name in LIVE:
        subprocess.run([program, "view", ROOT / "examples" / f"{name}.yaml", "--out", folder / f"{name}.html"], check=True,
                       stdout=subprocess.DEVNULL)


def sphinx():
    """A Python that has Sphinx: this one, or Debian's where another one comes first."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import sphinx, myst_parser, furo"], capture_output=True, check=False).returncode == 0:
            return [python, "-m", "sphinx"]
    raise SystemExit("make_docs.py needs python3-sphinx, python3-myst-parser and furo")


def main():
    program, *rest = sys.argv[1:]
    program = str(pathlib.Path(program).resolve())
    if rest[0] == "--stage":
        stage(program, pathlib.Path(rest[1]))
        return 0
    site = pathlib.Path(rest[0]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "source"
        stage(program, source)
        live(program, source / "live")
        shutil.rmtree(site, ignore_errors=True)
        done = subprocess.run([*sphinx(), "-q", "-W", "--keep-going", "-b", "html", source, site, "-d",
                               pathlib.Path(folder) / "trees"], check=False)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
