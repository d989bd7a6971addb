"""Who may know whom, read from the files with `ast`. Nothing here runs the project's code."""

import ast
import graphlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "failure13"
FILES = sorted(PACKAGE.rglob("*.py"))
# From the top down: a room may import itself and the rooms after it.
ROOMS = ("page", "kept", "visit", "lesson")
# Names that scripts from outside rely on, each a file that hands on what is in another room.
HANDED_ON = {"share": "failure13.visit.share"}
# What a room may import besides the standard library and this project, and what one file of it may besides.
MAY_IMPORT = {"page": {"streamlit", "pandas"}, "kept": {"starlette"}, "visit": set(), "lesson": set()}
A_FILE_MAY_ALSO_IMPORT = {
    "visit/trail": {"pandas"},
    "scenarios": {"jsonschema"},
    "page/bench/__init__": {"segno", "starlette"},
}
NO_CLOCK_CHANCE_OR_NETWORK = {"time", "random", "datetime", "socket", "urllib", "http", "requests", "secrets", "uuid"}
NEVER_WRITTEN = ["unsafe_allow_html", "unsafe_allow_javascript", "redirect_stdout"]
WRITES_ALL_THE_SAME = {"page/exact": {"unsafe_allow_javascript"}}  # a script of its own that holds nobody's text
CHANGING = {
    *("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse"),
    *("add", "discard", "update", "setdefault", "popitem", "appendleft", "extendleft"),
}


def name(path):
    """A file by its place in the package: "money", "visit/grid"; app.py is "app"."""
    return path.relative_to(PACKAGE if PACKAGE in path.parents else ROOT).with_suffix("").as_posix()


def room(module):
    """The room of a module such as "failure13.visit.grid"; of failure13 itself, the lesson."""
    inner = module.split(".")[1:2]
    return inner[0] if inner and inner[0] in ROOMS else "lesson"


def in_room(*rooms):
    return [path for path in FILES if room(module_of(path)) in rooms and name(path) not in HANDED_ON]


def module_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def each(paths):
    return pytest.mark.parametrize("path", paths, ids=name)


def tree(path):
    return ast.parse(path.read_text("utf-8"), str(path))


def imports(found):
    """The modules that code imports; `from failure13 import money` imports failure13.money, a module."""
    modules = set()
    for node in ast.walk(found):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "an import names its module from the top"
            for alias in node.names:
                inner = ROOT.joinpath(*str(node.module).split("."), alias.name)
                is_module = inner.with_suffix(".py").exists() or inner.is_dir()
                modules.add(f"{node.module}.{alias.name}" if is_module else str(node.module))
    return modules


def packages(modules):
    return {module.partition(".")[0] for module in modules}


def ours(modules):
    return {module for module in modules if module.partition(".")[0] == "failure13"}


def foreign(modules):
    return packages(modules) - set(sys.stdlib_module_names) - {"failure13"}


def test_every_file_of_the_package_is_in_a_room():
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert rooms == set(ROOMS) - {"lesson"}
    assert len(FILES) == len(in_room(*ROOMS)) + len(HANDED_ON)


@each(in_room(*ROOMS))
def test_a_file_imports_what_its_room_may(path):
    allowed = MAY_IMPORT[room(module_of(path))] | A_FILE_MAY_ALSO_IMPORT.get(name(path), set())
    assert foreign(imports(tree(path))) <= allowed


@each(in_room(*ROOMS))
def test_imports_point_down_only(path):
    own = ROOMS.index(room(module_of(path)))
    assert [module for module in ours(imports(tree(path))) if ROOMS.index(room(module)) < own] == []


@pytest.mark.parametrize(("stem", "module"), HANDED_ON.items())
def test_a_name_for_outside_only_hands_on(stem, module):
    found = tree(PACKAGE / f"{stem}.py")
    assert imports(found) == {module}
    assert [type(node) for node in found.body] == [ast.Expr, ast.ImportFrom, ast.Assign]


def test_no_two_modules_import_each_other():
    graphlib.TopologicalSorter({module_of(path): ours(imports(tree(path))) for path in FILES}).prepare()


@pytest.mark.parametrize("stem", ["broken", "fixed"])
def test_the_articles_agents_know_only_the_tool(stem):
    assert ours(imports(tree(PACKAGE / f"{stem}.py"))) == {"failure13.payments"}


def test_the_tool_knows_nothing():
    assert ours(imports(tree(PACKAGE / "payments.py"))) == set()


@each(in_room("lesson", "visit"))
def test_the_lesson_and_the_visit_have_no_clock_no_chance_and_no_network(path):
    assert not packages(imports(tree(path))) & NO_CLOCK_CHANCE_OR_NETWORK


@each([*FILES, ROOT / "app.py"])
@pytest.mark.parametrize("word", NEVER_WRITTEN)
def test_no_module_writes_raw_html_or_redirects_what_all_visitors_share(path, word):
    assert word not in path.read_text("utf-8") or word in WRITES_ALL_THE_SAME.get(name(path), set())


def writes_html(node):
    if isinstance(node, ast.ImportFrom):
        return node.module == "streamlit" and any(alias.name == "html" for alias in node.names)
    return isinstance(node, ast.Attribute) and node.attr == "html"


@each([*FILES, ROOT / "app.py"])
def test_html_is_written_in_one_module_only(path):
    assert not any(map(writes_html, ast.walk(tree(path)))) or name(path) == "page/exact"


def bound(nodes):
    """The names that statements bind, without those inside functions and classes."""
    names = set()
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif not isinstance(node, ast.Lambda):
            names |= bound(ast.iter_child_nodes(node))
    return names


def root(node):
    """The name at the root of a.b[0].c; none for what Streamlit has for each visitor alone."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        if ast.unparse(node) in ("st.session_state", "st.query_params"):
            return None
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def changed(function):
    """The names of what a function changes in place: a.append(...), a[0] = ..., a.b = ..., del a[0], a global a."""
    for node in ast.walk(function):
        if isinstance(node, ast.Global):
            yield from node.names
        elif isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            yield root(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            yield root(node.func.value)


def local_names(function):
    """What a function and the functions in it bind themselves, arguments included."""
    names = set()
    for node in ast.walk(function):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names |= bound(node.body)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
    return names - {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}


def shared_changes(found):
    """The module's own names that any of its functions changes: what all visitors would share."""
    own = bound(found.body)
    for function in ast.walk(found):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from own.intersection(changed(function)) - local_names(function)


@each(FILES)
def test_no_function_changes_what_its_module_holds(path):
    assert list(shared_changes(tree(path))) == []


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("KEPT = []\ndef f(x):\n    KEPT.append(x)", ["KEPT"]),
        ("KEPT = {}\ndef f(x):\n    KEPT[x] = 1", ["KEPT"]),
        ("KEPT = {}\ndef f(x):\n    del KEPT[x]", ["KEPT"]),
        ("KEPT = {}\ndef f(x):\n    KEPT['a'].b[x].add(1)", ["KEPT"]),
        ("COUNT = 0\ndef f():\n    global COUNT\n    COUNT += 1", ["COUNT"]),
        ("import other\ndef f():\n    other.seen = 1", ["other"]),
        ("from other import SEEN\ndef f():\n    def g():\n        SEEN.update({})\n    return g", ["SEEN"]),
        ("class A:\n    def f(self):\n        A.seen = 1", ["A"]),
        ("import streamlit as st\ndef f(x):\n    st.x[0] = 1", ["st"]),
        ("import streamlit as st\ndef f(x):\n    st.session_state.x = 1\n    st.session_state['y'].append(x)", []),
        ("KEPT = []\ndef f(KEPT):\n    KEPT.append(1)", []),
        ("KEPT = []\ndef f():\n    KEPT = []\n    KEPT.append(1)", []),
        ("KEPT = []\ndef f():\n    return [*KEPT, 1]", []),
        ("class A:\n    def f(self):\n        self.a = 1", []),
    ],
)
def test_the_check_for_shared_changes_sees_them(code, changes):
    assert set(shared_changes(ast.parse(code))) == set(changes)


def test_the_check_of_imports_tells_modules_from_names():
    found = ast.parse(
        "import os.path\nfrom failure13 import Step, money\nfrom failure13.guards import GUARDS\n"
        "if TYPE_CHECKING:\n    from failure13.replay import Outcome\n"
    )
    assert imports(found) == {"os.path", "failure13", "failure13.money", "failure13.guards", "failure13.replay"}
