"""Read the settings of the server from flags, the environment, a file, or their defaults."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from typer.core import TyperOption

from domain.toml_text import parse_toml
from replay.errors import Usage
from replay.registry import FILES
from replay.store import without_password
from service.settings import Declaration, Settings, declarations

PREFIX: Final = "PLYBOOK_"
CONFIG: Final = "PLYBOOK_CONFIG"
"""The variable that names the file; it is not a setting itself."""

SERVICE_NAME: Final = re.compile(
    r"PLYBOOK_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)"
)
SERVICE_ADDRESS: Final = re.compile(r"(tcp|udp|sctp)://.*")
"""The names and values of variables with which Kubernetes announces services to a pod.

A service called `plybook` has `PLYBOOK_SERVICE_HOST`, and `PLYBOOK_PORT` is `tcp://10.0.0.1:80`.
"""


class Value(NamedTuple):
    """A value of a setting as written, and its origin: "--port", "PLYBOOK_PORT"."""

    written: Any
    origin: str


class ServerSettings(NamedTuple):
    """The settings in force, and the origins of values other than defaults by field."""

    settings: Settings
    origins: Mapping[str, str]

    def as_toml(self) -> Iterator[str]:
        """Yield each setting as a line of TOML, with its origin in a comment."""
        for each in declarations():
            value = getattr(self.settings, each.field)
            value = without_password(value) if each.field == "db" and value else value
            unset = f"# {each.option} is not set"
            line = unset if value is None else f"{each.option} = {_toml(value)}"
            yield f"{line:36}  # {self.origins.get(each.field, 'default')}"


def read_settings(
    flags: Mapping[str, Any], environment: Mapping[str, str], config: Path | None
) -> ServerSettings:
    """Choose each setting: a flag before a variable, before the file, before the default.

    `flags` are the given flags by field. `config` is the file of `--config`, by default that of
    `PLYBOOK_CONFIG`. Raises `Usage` for unknown settings and wrong values.
    """
    known = tuple(declarations())
    named = environment.get(CONFIG)
    file = config or (Path(named) if named else None)
    chosen = {
        **(_in_file(file, known) if file else {}),
        **_in_environment(environment, known),
        **{
            each.field: Value(flags[each.field], f"--{each.option}")
            for each in known
            if each.field in flags
        },
    }
    settings = {
        each.field: _read(each, chosen[each.field]) for each in known if each.field in chosen
    }
    origins = {field: value.origin for field, value in chosen.items()}
    return ServerSettings(Settings(**settings), origins)


@cache
def options() -> tuple[TyperOption, ...]:
    """Return the option of each setting; its value is `None` if it is not given."""
    return tuple(map(_option, declarations()))


def _option(declared: Declaration) -> TyperOption:
    flag = f"--{declared.option}"
    meaning = declared.meaning[0].upper() + declared.meaning[1:]
    switch = isinstance(declared.default, bool)
    plain = switch or declared.default in (None, ())
    default = "" if plain else f" [default: {declared.default}]"
    return TyperOption(
        param_decls=[f"{flag}/--no-{declared.option}" if switch else flag, declared.field],
        is_flag=switch,
        metavar=None if switch else "TEXT" if declared.right.startswith("a text") else "VALUE",
        multiple=isinstance(declared.default, tuple),
        help=f"{meaning}.{default}",
    )


def _in_environment(
    environment: Mapping[str, str], known: Iterable[Declaration]
) -> dict[str, Value]:
    variables = {each.variable: each for each in known}
    given = {
        name: text
        for name, text in environment.items()
        if name.startswith(PREFIX) and name != FILES and not _is_of_service(name, text)
    }
    unknown = next((name for name in given if name not in {*variables, CONFIG}), None)
    if unknown is not None:
        raise Usage(f"{unknown}: there is no such setting{_hint(unknown, variables)}")
    return {
        variables[name].field: Value(_parts(variables[name], text), name)
        for name, text in given.items()
        if name != CONFIG
    }


def _is_of_service(name: str, text: str) -> bool:
    """Return whether a variable announces a service of Kubernetes rather than a setting."""
    of_port = name.endswith("_PORT") and SERVICE_ADDRESS.fullmatch(text)
    return bool(of_port or SERVICE_NAME.fullmatch(name))


def _parts(declared: Declaration, text: str) -> str | list[str]:
    """Split a text that can hold several names at commas."""
    if not isinstance(declared.default, tuple):
        return text
    return [part.strip() for part in text.split(",") if part.strip()]


def _in_file(file: Path, known: Iterable[Declaration]) -> dict[str, Value]:
    keys = {each.option: each for each in known}
    try:
        given = parse_toml(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise Usage(f"cannot read {file}: {error.strerror}") from None
    except ValueError as error:  # not TOML, or not UTF-8
        raise Usage(f"{file} is not a valid TOML file: {error}") from None
    unknown = next((key for key in given if key not in keys), None)
    if unknown is not None:
        raise Usage(f"{file}: there is no setting {unknown!r}{_hint(unknown, keys)}")
    return {
        keys[key].field: Value(
            _parts(keys[key], value) if isinstance(value, str) else value, f"{key} in {file}"
        )
        for key, value in given.items()
    }


def _hint(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return f"; do you mean {close[0]}?" if close else "; docs/server.md lists them"


def _read(declared: Declaration, value: Value) -> Any:
    """Return the value as its type. Raises `Usage`."""
    written = value.written
    try:
        read = msgspec.convert(written, declared.type, strict=not isinstance(written, str))
    except msgspec.ValidationError:
        read = None
    if read is None or (isinstance(read, float) and not math.isfinite(read)):
        raise Usage(f"{value.origin} must be {declared.right}, not {written!r}")
    return read


def _toml(value: Any) -> str:
    """Write a value as TOML; texts, numbers and lists of settings are the same in JSON."""
    return msgspec.json.encode(value).decode()
