"""The files for containers: their settings, and the steps that run without containers."""

from __future__ import annotations

import http.server
import json
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address, ip_network
from typing import Any, NamedTuple

import pytest
import yaml

from cli.setting_sources import read_settings
from replay.store.postgres.connecting import MIN_VERSION
from tests.browser.nginx import COMPOSE as UPSTREAM
from tests.browser.nginx import CONFIGURATION
from tests.deploy.files import DEPLOY, ROOT
from tests.waiting import PATIENCE

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
SERVERS = ("one", "two")
OURS = [name for name, service in SERVICES.items() if "build" in service]
IMAGES = [service["image"] for service in SERVICES.values() if "build" not in service]
PINNED = re.compile(r"[a-z]+:[0-9]+[0-9.]*(-[a-z]+)+")
"""An image with its version and its system, so that neither changes by itself."""


class Step(NamedTuple):
    """A step of the Containerfile: `COPY`, and what follows."""

    name: str
    rest: str


def steps() -> list[Step]:
    text = (DEPLOY / "Containerfile").read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    whole = "\n".join(lines).replace("\\\n", " ").splitlines()
    return [Step(*line.split(maxsplit=1)) for line in whole]


def rests(name: str) -> list[str]:
    return [step.rest for step in steps() if step.name == name]


def test_image_pins_the_python_of_the_lock():
    bases = [rest.split()[0] for rest in rests("FROM")]
    assert bases
    assert [base for base in bases if not PINNED.fullmatch(base)] == []
    (version,) = {base.removeprefix("python:").split("-")[0] for base in bases}
    assert f"--python-version {version} " in (ROOT / "requirements.lock").read_text()


def test_image_runs_as_an_unprivileged_user():
    assert [step.name for step in steps()].index("USER") > 0
    user = rests("USER")[-1]
    assert int(user.split(":")[0]) > 0, "a number, so that others can tell that it is not root"
    assert f"--owner {user.split(':')[0]} " in " ".join(rests("RUN"))


def test_image_copies_exactly_the_sources_of_wheel():
    copied = [rest.split()[:-1] for rest in rests("COPY") if "--from" not in rest]
    sources = {source for each in copied for source in each}
    assert [source for source in sources if not (ROOT / source).exists()] == []
    wheel = set(PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    metadata = {"pyproject.toml", "README.md", *PROJECT["project"]["license-files"]}
    assert sources == wheel | metadata | {
        f"requirements{each}.lock" for each in ("", "-build", "-test")
    }
    assert rests("ADD") == []


def test_image_packages_are_pinned_with_hashes(tmp_path):
    (install,) = [rest for rest in rests("RUN") if "requirements.lock" in rest]
    select, _, rest = install.partition(" && ")
    assert re.findall(r"-r (\S+)", rest) == [
        "requirements.lock",
        "postgres.lock",
        "requirements-build.lock",
    ]
    assert rest.count("--require-hashes") == 2
    shutil.copy(ROOT / "requirements-test.lock", tmp_path)
    subprocess.run(["sh", "-c", select], cwd=tmp_path, check=True)
    pins = (tmp_path / "postgres.lock").read_text().replace("\\\n", "").splitlines()
    assert all("--hash=sha256:" in pin for pin in pins)
    names = {pin.split("==")[0] for pin in pins}
    assert names == {"psycopg", "psycopg-binary"}  # the extra is psycopg[binary]
    assert PROJECT["project"]["optional-dependencies"]["postgres"] == ["psycopg[binary]>=3.2"]


def test_image_and_compose_settings_are_valid():
    image = dict(re.findall(r"(PLYBOOK_\w+)=(\S+)", " ".join(rests("ENV"))))
    assert read_settings({}, image, None).settings.host == "0.0.0.0"
    for name in OURS:
        inside = SERVICES[name]["environment"]
        settings = read_settings({}, image | inside, None).settings
        assert settings.db == inside["PLYBOOK_DB"]
        assert settings.port == int(rests("EXPOSE")[0])


@pytest.mark.parametrize(("status", "healthy"), [(200, True), (503, False)])
def test_health_check_reports_readiness(status, healthy):
    (check,) = rests("HEALTHCHECK")
    program, *arguments = json.loads(check.partition("CMD")[2])
    assert program == "python"
    with answering("/readyz", status) as port:
        assert all("8000" in each or each == "-c" for each in arguments)
        command = [sys.executable, *(each.replace("8000", str(port)) for each in arguments)]
        done = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE)
    assert (done.returncode == 0) == healthy, done.stderr


@contextmanager
def answering(path: str, status: int) -> Iterator[int]:
    """Answer a path with a status, and others with 404; the value is the port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == path else 404)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def test_compose_has_no_password_of_its_own():
    text = (DEPLOY / "compose.yaml").read_text()
    values = re.findall(r"PASSWORD: (.*)", text)
    assert len(values) == 2
    assert [value for value in values if not value.startswith("${PASSWORD:?")] == []
    assert "@" not in re.sub(r"postgresql://plybook@database/", "", text)


def test_compose_pins_images_and_supported_postgresql():
    assert [image for image in IMAGES if not PINNED.fullmatch(image)] == []
    version = SERVICES["database"]["image"].removeprefix("postgres:").split("-")[0]
    assert int(version) >= MIN_VERSION


@pytest.mark.parametrize("name", SERVICES)
def test_container_restarts_and_is_read_only(name):
    service = SERVICES[name]
    assert service["restart"] == ("no" if "profiles" in service else "unless-stopped")
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert "/tmp" in service["tmpfs"]
    assert "privileged" not in service


@pytest.mark.parametrize("name", SERVICES)
def test_container_waits_for_healthy_dependencies(name):
    for needed, how in SERVICES[name].get("depends_on", {}).items():
        assert how == {"condition": "service_healthy"}
        assert "healthcheck" in SERVICES[needed] or needed in OURS


def test_only_proxy_is_public_and_database_is_inside():
    assert [name for name, each in SERVICES.items() if "ports" in each] == ["proxy"]
    listens = re.findall(r"^ +listen (\d+)", CONFIGURATION.read_text(), re.MULTILINE)
    assert SERVICES["proxy"]["ports"] == [f"{port}:{port}" for port in listens]
    networks = {name: set(each["networks"]) for name, each in SERVICES.items()}
    assert networks["database"] == {"inside"}
    assert "inside" not in networks["proxy"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}


def test_proxy_and_servers_name_each_other():
    (pool,) = COMPOSE["networks"]["outside"]["ipam"]["config"]
    outside = {
        name: SERVICES[name]["networks"]["outside"]["ipv4_address"] for name in (*SERVERS, "proxy")
    }
    assert [
        each for each in outside.values() if ip_address(each) not in ip_network(pool["subnet"])
    ] == []
    named = re.findall(r"server (\S+):8000 ", UPSTREAM.read_text())
    assert named == [outside[name] for name in SERVERS]
    for name in SERVERS:
        assert SERVICES[name]["environment"]["FORWARDED_ALLOW_IPS"] == outside["proxy"]


def test_files_that_containers_read_exist():
    mounted = [
        source
        for service in SERVICES.values()
        for each in service.get("volumes", ())
        if (source := each.split(":")[0]).startswith("./")
    ]
    there = {source for source in mounted if (DEPLOY / source).exists()}
    assert set(mounted) - there <= {"./tls"}, "the reader makes the certificate"
    build = SERVICES["one"]["build"]
    assert (DEPLOY / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).exists()


def test_docker_compose_reads_the_file(tmp_path):
    asked = ["docker", "compose", "version"]
    if shutil.which("docker") is None or subprocess.run(asked, capture_output=True).returncode:
        pytest.skip("needs docker compose, which reads the file without running anything")
    command = ["docker", "compose", "--file", DEPLOY / "compose.yaml", "config", "--quiet"]
    for environment, expected in (({"PASSWORD": "x"}, 0), ({}, 1)):
        inside = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path), **environment}
        done = subprocess.run(command, env=inside, capture_output=True, check=False)
        assert (done.returncode != 0) == (expected != 0), done.stderr
