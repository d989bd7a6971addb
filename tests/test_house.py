"""Who may know whom, read from the files with `ast`. Nothing here runs the project's code."""

import ast
import graphlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "failure13"
MODEL = sorted(PACKAGE.glob("*.py"))
VIEWS = sorted(PACKAGE.glob("views/*.py"))
PAGE = [path for path in [ROOT / "app.py"] if path.exists()]

# What the model may import besides the standard library and itself.
THIRD_PARTY = {"trail": {"pandas"}}
# What a view may import: these packages, the words, each other, and what is listed for it alone.
VIEWS_MAY_IMPORT = {"streamlit", "altair", "pandas"}
A_VIEW_MAY_ALSO_IMPORT = {"door": {"starlette"}, "packing": {"starlette", "anyio"}}  # what Streamlit itself stands on
VIEWS_MAY_KNOW = {"failure13", "failure13.limits", "failure13.verdicts"}
A_VIEW_MAY_ALSO_KNOW = {"exact": {"failure13.characters"}}
NO_CLOCK_CHANCE_OR_NETWORK = {"time", "random", "datetime", "socket", "urllib", "http", "requests", "secrets", "uuid"}
NEVER_WRITTEN = ["unsafe_allow_html", "unsafe_allow_javascript", "redirect_stdout"]
WRITES_ALL_THE_SAME = {"exact": {"unsafe_allow_javascript"}}  # a script of its own that holds nobody's text
CHANGING = {
    *("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse"),
    *("add", "discard", "update", "setdefault", "popitem", "appendleft", "extendleft"),
}


def by_stem(paths):
    return pytest.mark.parametrize("path", paths, ids=[path.stem for path in paths])


def tree(path):
    return ast.parse(path.read_text("utf-8"), str(path))


def imports(found, typing_too=True):
    """The modules that code imports; `from failure13 import money` imports failure13.money, a module."""
    skipped = set()
    if not typing_too:
        for node in ast.walk(found):
            if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
                skipped |= {id(inner) for child in node.body for inner in ast.walk(child)}
    modules = set()
    for node in ast.walk(found):
        if id(node) in skipped:
            continue
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


@by_stem(MODEL)
def test_the_model_imports_the_standard_library_and_itself(path):
    assert foreign(imports(tree(path))) <= THIRD_PARTY.get(path.stem, set())


@by_stem(MODEL)
def test_the_model_never_looks_up_to_the_page(path):
    assert not {module for module in imports(tree(path)) if module.startswith(("failure13.views", "app", "streamlit"))}


@pytest.mark.parametrize("stem", ["broken", "fixed"])
def test_the_articles_agents_know_only_the_tool(stem):
    assert ours(imports(tree(PACKAGE / f"{stem}.py"))) == {"failure13.payments"}


def test_the_tool_knows_nothing():
    assert ours(imports(tree(PACKAGE / "payments.py"))) == set()


def test_imports_point_down_only():
    order = graphlib.TopologicalSorter({f"failure13.{path.stem}": ours(imports(tree(path))) for path in MODEL})
    order.prepare()


@by_stem(VIEWS)
def test_a_view_knows_what_it_shows_with_and_the_words(path):
    modules = imports(tree(path), typing_too=False)
    assert foreign(modules) <= VIEWS_MAY_IMPORT | A_VIEW_MAY_ALSO_IMPORT.get(path.stem, set())
    siblings = {module for module in modules if module.startswith("failure13.views")}
    assert ours(modules) - siblings <= VIEWS_MAY_KNOW | A_VIEW_MAY_ALSO_KNOW.get(path.stem, set())


@by_stem(MODEL)
def test_the_model_has_no_clock_no_chance_and_no_network(path):
    assert not packages(imports(tree(path))) & NO_CLOCK_CHANCE_OR_NETWORK


@by_stem([*MODEL, *VIEWS, *PAGE])
@pytest.mark.parametrize("name", NEVER_WRITTEN)
def test_no_module_writes_raw_html_or_redirects_what_all_visitors_share(path, name):
    assert name not in path.read_text("utf-8") or name in WRITES_ALL_THE_SAME.get(path.stem, set())


def writes_html(node):
    if isinstance(node, ast.ImportFrom):
        return node.module == "streamlit" and any(alias.name == "html" for alias in node.names)
    return isinstance(node, ast.Attribute) and node.attr == "html"


@by_stem([*MODEL, *VIEWS, *PAGE])
def test_html_is_written_in_one_module_only(path):
    assert not any(map(writes_html, ast.walk(tree(path)))) or path == PACKAGE / "views/exact.py"


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
    """The name at the root of a.b[0].c; none for st.session_state, which is a visitor's own."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        if ast.unparse(node) == "st.session_state":
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


@by_stem([*MODEL, *VIEWS])
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
    assert imports(found, typing_too=False) == {"os.path", "failure13", "failure13.money", "failure13.guards"}
