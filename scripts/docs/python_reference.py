"""The reference of the Python package as Markdown, made of its docstrings without importing it."""
import ast


def signature(node):
    text = ast.unparse(node.args)
    for first in ("self, ", "cls, ", "self", "cls"):
        if text.startswith(first) and (first.endswith(" ") or text == first):
            return text[len(first):]
    return text


def is_property(node):
    return any("property" in ast.unparse(decorator) or "setter" in ast.unparse(decorator) for decorator in node.decorator_list)


def members(node):
    """(name as it is written, docstring) of what users may call or read, in the order of the file."""
    for child in node.body:
        if isinstance(child, ast.FunctionDef) and (not child.name.startswith("_") or child.name in ("__getitem__", "__len__", "__iter__")):
            if any("setter" in ast.unparse(decorator) for decorator in child.decorator_list):
                continue
            text = ast.get_docstring(child) or ""
            if child.name == "__getitem__":
                yield f"[{signature(child).split(':')[0]}]", text
            elif child.name.startswith("__"):
                continue
            else:
                yield child.name if is_property(child) else f"{child.name}({signature(child)})", text


def section(name, node, lines):
    lines += [f"## {name}", ""]
    if isinstance(node, ast.FunctionDef):
        lines += ["```python", f"tenon.{name}({signature(node)})", "```", "", ast.get_docstring(node) or "", ""]
        return
    start = next((child for child in node.body if isinstance(child, ast.FunctionDef) and child.name == "__init__"), None)
    if start is not None:
        lines += ["```python", f"tenon.{name}({signature(start)})", "```", ""]
    lines += [ast.get_docstring(node) or "", ""]
    if start is not None and ast.get_docstring(start):
        lines += [ast.get_docstring(start), ""]
    for written, text in members(node):
        lines += [f"### {name}{'' if written.startswith('[') else '.'}{written}".replace("[", "\\[", 1), "", text, ""]


def page(folder):
    head = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    wanted = next(ast.literal_eval(node.value) for node in head.body
                  if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__")
    found = {}
    for path in sorted(folder.glob("_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                found.setdefault(node.name, node)
    lines = ["# Python reference", "", "Made of the docstrings. Start with [the package's README](../../bindings/python/README.md).",
             "", "```text", ast.get_docstring(head), "```", ""]
    for name in wanted:
        if name in found:
            section(name, found[name], lines)
    return "\n".join(lines)
