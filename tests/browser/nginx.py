"""nginx with the configuration of `docs`, in front of two servers on one book."""

from __future__ import annotations

import getpass
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.waiting import PATIENCE

ROOT: Final = Path(__file__).parents[2]
DEPLOY: Final = ROOT / "docs" / "deploy"
CONFIGURATION: Final = DEPLOY / "nginx.conf"
ONE_MACHINE: Final = DEPLOY / "upstream-one-machine.conf"
COMPOSE: Final = DEPLOY / "upstream-compose.conf"
SERVER: Final = re.compile(r"server [0-9.]+:\d+ ")
NAME: Final = "club.example"
BEHIND: Final = ("--root-path=/plybook", f"--host-name={NAME}")
"""The options of the servers behind it."""

MAIN: Final = """
daemon off;
user {user};
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{}}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/conf.d/*.conf;
}}
"""
"""The part of Debian's `nginx.conf` around the folder `conf.d`, as anybody may run it."""


class Proxy(NamedTuple):
    """A running nginx: its ports, and the certificate to trust."""

    http: int
    https: int
    folder: Path

    @property
    def url(self) -> str:
        return f"https://{NAME}:{self.https}/plybook"

    @property
    def trust(self) -> ssl.SSLContext:
        """Settings of TLS that trust the certificate."""
        return ssl.create_default_context(cafile=str(self.folder / "certificate.pem"))

    @property
    def requests(self) -> list[str]:
        """The paths of all requests so far."""
        lines = (self.folder / "access.log").read_text().splitlines()
        return [line.split('"')[1].split()[1] for line in lines]


def needs_nginx() -> None:
    """Skip a test where there is no nginx."""
    for program in ("nginx", "openssl"):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program} (apt-get install {program})")


@contextmanager
def run_nginx(
    folder: Path,
    upstreams: tuple[int, int],
    change: Callable[[str], str] = str,
    upstream: Path = ONE_MACHINE,
) -> Iterator[Proxy]:
    """Run nginx with the files of `docs`, with other ports and paths, until the block ends.

    `upstream` is the file that names the servers. `change` takes the text of both files and returns
    it with a mistake.
    """
    for each in (folder, folder / "conf.d"):
        each.mkdir(exist_ok=True)
    _certify(folder)
    proxy = Proxy(*free_ports(2), folder)
    (folder / "conf.d" / "plybook.conf").write_text(change(_filled_in(proxy, upstream, upstreams)))
    (folder / "nginx.conf").write_text(MAIN.format(user=getpass.getuser(), folder=folder))
    command = ["nginx", "-p", str(folder), "-c", "nginx.conf", "-e", str(folder / "error.log")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        _wait_for(proxy.https, process)
        yield proxy
    finally:
        process.terminate()
        process.wait(PATIENCE)
        process.stderr.close()


def _filled_in(proxy: Proxy, upstream: Path, upstreams: tuple[int, int]) -> str:
    written = CONFIGURATION.read_text() + upstream.read_text()
    places = {
        "listen 80;": f"listen 127.0.0.1:{proxy.http};",
        "listen 443 ": f"listen 127.0.0.1:{proxy.https} ",
        "/etc/ssl/club.example/": f"{proxy.folder}/",
    }
    servers = SERVER.findall(written)
    assert len(servers) == len(upstreams), f"{upstream} names {servers}"
    for here, port in zip(servers, upstreams, strict=True):
        places[here] = f"server 127.0.0.1:{port} "
    for here, there in places.items():
        assert here in written, f"{CONFIGURATION} has no {here!r}"
        written = written.replace(here, there)
    return written


def _certify(folder: Path) -> None:
    """Make a certificate for the name, and for this machine."""
    command = "openssl req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -days 2"
    subprocess.run(
        [
            *command.split(),
            *("-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME},IP:127.0.0.1"),
            *("-keyout", folder / "key.pem", "-out", folder / "certificate.pem"),
        ],
        check=True,
        capture_output=True,
    )


def free_ports(count: int) -> list[int]:
    with ExitStack() as open_sockets:
        ports = []
        for _ in range(count):
            each = open_sockets.enter_context(closing(socket.socket()))
            each.bind(("127.0.0.1", 0))
            ports.append(int(each.getsockname()[1]))
        return ports


def _wait_for(port: int, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if process.poll() is not None:
            assert process.stderr is not None
            raise AssertionError(f"nginx ended: {process.stderr.read()}")
        with closing(socket.socket()) as trying:
            if trying.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise AssertionError("nginx does not listen")
