"""The templates: everything is escaped, names must be defined, and no HTML is written in Python."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import jinja2
import pytest

import replay
import service
from replay.formats.html.jinja import environment
from service.pages.layout import ENVIRONMENT, prepare_pages, to_json

ROOTS = (Path(service.__file__).parent, Path(replay.__file__).parent)
ELEMENT = re.compile(r"</?[a-z][a-z0-9]*[\s>]")
"""The beginning of an HTML element, or of one of SVG."""


def python_files(*folders: str) -> list[Path]:
    return [path for folder in folders for path in (ROOTS[0].parent / folder).rglob("*.py")]


def strings(path: Path) -> list[str]:
    """The strings of a module, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    said = {
        node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return [text for text in constants if isinstance(text, str) and text not in said]


@pytest.mark.parametrize("name", ENVIRONMENT.list_templates())
def test_every_template_compiles(name):
    assert ENVIRONMENT.get_template(name)


def test_python_writes_no_html():
    packed = "frame_packing.py"  # it cuts drawings into their groups
    files = python_files("service", "replay/formats/html")
    found = [
        (path.name, text)
        for path in files
        if path.name != packed
        for text in strings(path)
        if ELEMENT.search(text)
    ]
    assert found == []


def test_one_module_marks_strings_as_html():
    marked = [
        path.name
        for path in python_files("service", "replay")
        if re.search(r"\bMarkup\(", path.read_text(encoding="utf-8"))
    ]
    assert marked == ["jinja.py"]
    for root in ROOTS:
        for path in root.rglob("templates/*.html"):
            assert not re.search(r"\|\s*safe\b|autoescape", path.read_text(encoding="utf-8")), path


FORM = re.compile(r"<form(?P<said>[^>]*)>(?P<within>.*?)</form>", re.DOTALL)
SENDS = re.compile(r"<button(?![^>]*type=.button)[^>]*>")


def test_forms_of_scripts_cannot_be_sent_before_their_script():
    forms = [
        form
        for name in ENVIRONMENT.list_templates()
        for form in FORM.finditer(ENVIRONMENT.loader.get_source(ENVIRONMENT, name)[0])
        if not re.search(r"\s(action|method|role)=", form["said"])
    ]
    assert len(forms) >= 15
    early = [each for form in forms for each in SENDS.findall(form["within"])]
    assert [each for each in early if "disabled data-early" not in each] == []


def test_text_is_escaped_and_has_no_control_characters():
    template = environment().from_string('<p title="{{ text }}">{{ text }}</p>')
    drawn = template.render(text="<b>\"'&\x1b\x00")
    assert drawn.count("&lt;b&gt;&#34;&#39;&amp;\\x1b\\x00") == 2


def test_undefined_name_is_an_error():
    with pytest.raises(jinja2.UndefinedError):
        environment().from_string("{{ nobody }}").render()


def test_data_for_scripts_cannot_end_the_script():
    assert to_json({"name": "</script><!--"}) == '{"name":"\\u003c/script>\\u003c!--"}'


def test_templates_are_compiled_before_a_page_is_asked_for():
    ENVIRONMENT.cache.clear()
    prepare_pages()
    assert len(ENVIRONMENT.cache) == len(ENVIRONMENT.list_templates())
