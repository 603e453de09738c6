"""The settings of the server: their sources, and refused values."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from cli.setting_sources import read_settings
from replay.errors import Usage
from service.settings import Settings, declarations


@pytest.fixture
def file(tmp_path):
    def write(text: str) -> Path:
        path = tmp_path / "plybook.toml"
        path.write_text(text)
        return path

    return write


def test_flag_precedes_variable_and_variable_precedes_file(file):
    config = file("port = 1\nworkers = 1\nqueue-length = 1")
    environment = {"PLYBOOK_WORKERS": "2", "PLYBOOK_PORT": "2", "PLYBOOK_GAMES": "a.py"}
    found = read_settings({"port": "3"}, environment, config)
    assert found.settings == Settings(port=3, workers=2, queue_length=1)
    assert found.origins == {
        "port": "--port",
        "workers": "PLYBOOK_WORKERS",
        "queue_length": f"queue-length in {config}",
    }


def test_flag_turns_off_a_switch_set_elsewhere():
    found = read_settings({"lan": False}, {"PLYBOOK_LAN": "true"}, None)
    assert (found.settings.lan, found.origins["lan"]) == (False, "--lan")


def test_host_names_are_a_list_or_comma_separated(file):
    names = ("a.example", "b.example")
    variable = {"PLYBOOK_HOST_NAME": "a.example, b.example"}
    assert read_settings({}, variable, None).settings.host_names == names
    listed = file('host-name = ["a.example", "b.example"]')
    assert read_settings({}, {}, listed).settings.host_names == names
    single = file('host-name = "a.example"')
    assert read_settings({}, {}, single).settings.host_names == names[:1]


def test_environment_variable_names_the_settings_file(file):
    config = file("port = 1")
    assert read_settings({}, {"PLYBOOK_CONFIG": str(config)}, None).settings.port == 1
    with pytest.raises(Usage, match=r"cannot read nowhere\.toml: No such file"):
        read_settings({}, {"PLYBOOK_CONFIG": str(config)}, Path("nowhere.toml"))


@pytest.mark.parametrize(
    ("flags", "environment", "text", "words"),
    [
        ({"port": "70000"}, {}, "", "--port must be a whole number from 0 to 65535, not '70000'"),
        ({"heartbeat": "0"}, {}, "", "--heartbeat must be a number above 0, not '0'"),
        (
            {"header_timeout": "nan"},
            {},
            "",
            "--header-timeout must be a number from 0 on, ",
        ),
        ({"db": ""}, {}, "", "--db must be a text that is not empty, not ''"),
        (
            {"workers": "9999"},
            {},
            "",
            "^--workers must be a whole number from 0 to 256, ",
        ),
        ({}, {"PLYBOOK_LAN": "maybe"}, "", "PLYBOOK_LAN must be true or false, not 'maybe'"),
        ({}, {"PLYBOOK_PROT": "1"}, "", "PLYBOOK_PROT: there is no such setting; .* PLYBOOK_PORT"),
        ({}, {}, "prot = 1", r"plybook.toml: there is no setting 'prot'; do you mean port\?"),
        ({}, {}, "[limits]\nport = 1", "plybook.toml: there is no setting 'limits'"),
        (
            {},
            {},
            "port = '1x'",
            "port in .*plybook.toml must be a whole .* 0 to .*, not '1x'",
        ),
        ({}, {}, "lan = 1", "lan in .*plybook.toml must be true or false, not 1"),
        ({}, {}, "workers = true", "workers in .* must be a whole .* 0 to 256, not True"),
        ({}, {}, f"port = {'[' * 5000}", "plybook.toml is not .* nest too deeply; use fewer"),
        ({}, {}, "port: 1", "plybook.toml is not a valid TOML file: "),
    ],
)
def test_wrong_setting_is_refused_with_its_origin(file, flags, environment, text, words):
    with pytest.raises(Usage, match=words):
        read_settings(flags, environment, file(text))


@pytest.mark.parametrize(
    "sites",
    [
        *("a;b", "javascript:x", "javascript:", "data:", "https://a.example,b", "'none' a.example"),
        *("", " ", "a  b", "'unsafe-inline'", "a.example\n", "ftp://a.example", "https://", "a:x"),
    ],
)
def test_what_cannot_frame_is_refused_as_an_ancestor(sites):
    words = (
        "--frame-ancestors must be 'none', or 'self', * and addresses like https://club.example"
        f" between spaces, not {sites!r}"
    )
    with pytest.raises(Usage, match=f"^{re.escape(words)}$"):
        read_settings({"frame_ancestors": sites}, {}, None)


@pytest.mark.parametrize(
    "sites",
    [
        *("'none'", "'self'", "*", "https:", "club.example", "*.club.example"),
        "'self' https://club.example:8443 http://127.0.0.1:* localhost:3000 https://a-b.example/",
    ],
)
def test_sites_that_may_frame_are_accepted(sites):
    assert read_settings({"frame_ancestors": sites}, {}, None).settings.frame_ancestors == sites


@pytest.mark.parametrize("service", ["PLYBOOK", "PLYBOOK_METRICS", "PLYBOOK_2"])
def test_variables_of_a_kubernetes_service_are_ignored(service):
    address = "tcp://10.96.0.7:8000"
    variables = {
        f"{service}_SERVICE_HOST": "10.96.0.7",
        f"{service}_SERVICE_PORT": "8000",
        f"{service}_SERVICE_PORT_HTTP_API": "8000",
        f"{service}_PORT": address,
        f"{service}_PORT_8000_TCP": address,
        f"{service}_PORT_8000_TCP_PROTO": "tcp",
        f"{service}_PORT_8000_TCP_PORT": "8000",
        f"{service}_PORT_8000_TCP_ADDR": "10.96.0.7",
        f"{service}_PORT_53_UDP": "udp://10.96.0.7:53",
    }
    found = read_settings({}, {**variables, "PLYBOOK_WORKERS": "2"}, None)
    assert found.settings == Settings(workers=2)
    assert found.origins == {"workers": "PLYBOOK_WORKERS"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("PLYBOOK_PROT", "tcp://10.96.0.7:8000"), ("PLYBOOK_PORT", "10.96.0.7:8000")),
        *(("PLYBOOK_SERVICE", "1"), ("PLYBOOK_SERVICE_HOSTS", "a"), ("PLYBOOK_PORT_TCP", "1")),
        *(("PLYBOOK_SERVICE_PORTS", "1"), ("PLYBOOK_HOST", "")),
    ],
)
def test_variables_resembling_a_service_are_refused(name, text):
    with pytest.raises(Usage, match=name):
        read_settings({}, {name: text}, None)


def test_every_setting_has_a_flag_and_is_shown(plybook):
    ran = plybook("serve", "--show-settings", "--port", "0", "--no-demo")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert [line.removeprefix("# ").split()[0] for line in lines] == [
        each.option for each in declarations()
    ]
    assert [*map(str.split, lines)][1] == ["port", "=", "0", "#", "--port"]
    assert f"{'# metrics-port is not set':36}  # default" in lines
    assert next(line for line in lines if line.startswith("db")).endswith("# PLYBOOK_DB")
    assert tomllib.loads(ran.out)["demo"] is False
    shown = plybook("serve", "--help").out
    assert all(f"--{each.option}" in shown for each in declarations())


def test_database_flag_of_plybook_applies_to_serve(plybook, tmp_path):
    ran = plybook("--db", tmp_path / "other.db", "serve", "--show-settings")
    assert f'db = "{tmp_path / "other.db"}"  # --db' in ran.out


def test_shown_settings_contain_no_password(plybook):
    ran = plybook("serve", "--show-settings", "--db", "postgresql://jet:a/b@c@db/plybook")
    assert 'db = "postgresql://…@db/plybook"' in ran.out


def test_lan_and_host_exclude_each_other(plybook, monkeypatch):
    monkeypatch.setenv("PLYBOOK_LAN", "true")
    ran = plybook("serve", "--host", "127.0.0.2")
    assert ran.code == 2
    assert "PLYBOOK_LAN listens on every address of this machine; leave out --host" in ran.err
