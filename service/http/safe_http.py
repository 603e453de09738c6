"""Call untrusted addresses safely: checked, with time-outs, and without redirects.

This is *safer* than a client library, which asks the DNS again when it connects.

A name is resolved once here, all its addresses are checked, and the connection goes to the first of
them that accepts it; later DNS answers change nothing. TLS still verifies the name.
"""

from __future__ import annotations

# Imports in functions keep start-up short: httpx loads 150 modules, and few books have hooks.
import asyncio
import contextlib
import functools
import ipaddress
import logging
import re
import socket
import ssl
import threading
from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from replay.runtime import RUNTIME

if TYPE_CHECKING:
    import httpx

SCHEMES: Final = {"http": 80, "https": 443}
PORTS: Final = 65536
HOST: Final = re.compile(rb"[0-9A-Za-z._:-]+")
MAX_URL: Final = 2000
CONNECT_TIMEOUT: Final = 5.0
"""Seconds to wait for a connection, and for each part of an answer."""

CALL_TIMEOUT: Final = 15.0
"""Seconds for a whole call."""

NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 prefixes that embed an IPv4 address in the last 32 bits."""

UNICAST: Final = ipaddress.ip_network("2000::/3")
"""All IPv6 addresses of the public internet allocated so far."""

SPECIAL: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            "192.0.0.0/24",  # IETF protocol assignments
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # AMT
            "192.88.99.0/24",  # relays of 6to4
            "192.175.48.0/24",  # AS112
            "2001::/23",  # IETF protocol assignments: Teredo, benchmarks, ORCHID, drones
            "2002::/16",  # 6to4
            "2620:4f:8000::/48",  # AS112
            "3fff::/20",  # documentation
        ),
    )
)
"""Special-purpose ranges of IANA that `ipaddress` treats as global.

Versions of Python have different tables. No receiver of a WebHook is in these ranges.
"""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# httpx would log the called addresses, which may contain secrets.
logging.getLogger("httpx").setLevel(logging.WARNING)


class CallRefused(Exception):
    """A call is refused because of its address. The message gives the reason."""


class Call(Struct, frozen=True):
    """The result of a call: the status of the answer, or the reason why no answer came.

    `gone` means that the receiver wants no more calls: status 410.
    """

    told: str
    arrived: bool
    gone: bool = False
    status: int | None = None


def check_url(url: str, anywhere: bool) -> None:
    """Raise `CallRefused` for an address that could never be called."""
    if not RUNTIME.has_sockets:
        raise CallRefused("a page in a browser cannot call WebHooks; add them on a server")
    _literal(_parsed(url), anywhere)


def host_of(url: str) -> str:
    """Return the host of the URL of a call, or the URL itself if it is invalid."""
    try:
        return _parsed(url).host
    except CallRefused:  # the call will report it
        return url


async def call(url: str, body: bytes, headers: Mapping[str, str], anywhere: bool) -> Call:
    """Post a body to an untrusted address, and return the result.

    Redirects are not followed, answers are not read.
    """
    import httpx

    try:
        async with asyncio.timeout(CALL_TIMEOUT):
            status = await _post(_parsed(url), body, headers, anywhere)
    except (CallRefused, TimeoutError) as error:
        return Call(str(error) or "no answer in time", False)
    except (httpx.HTTPError, OSError, ValueError) as error:
        return Call(f"no answer: {type(error).__name__}", False)
    return Call(f"status {status}", 200 <= status < 300, status == HTTPStatus.GONE, status)


def is_open(address: Address) -> bool:
    """Return whether an address, and any address it embeds, is on the public internet."""
    if isinstance(address, ipaddress.IPv6Address) and address not in UNICAST:
        inside = _inside(address)
        return inside is not None and is_open(inside)
    return address.is_global and not (
        any(address in network for network in SPECIAL)
        or address.is_multicast
        or address.is_reserved
        or address.is_loopback
        or address.is_link_local
        or address.is_unspecified
    )


def _inside(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address that an IPv6 address embeds, if it embeds an address."""
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped


def _parsed(url: str) -> httpx.URL:
    import httpx

    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, ValueError):
        raise CallRefused("this is not a valid address") from None
    named = HOST.fullmatch(parsed.raw_host)
    if parsed.scheme not in SCHEMES or not named or len(url) > MAX_URL:
        raise CallRefused(
            f"an address must begin with http:// or https:// and have at most {MAX_URL} characters"
        )
    if parsed.userinfo or parsed.fragment:
        raise CallRefused("an address cannot have a password or a #")
    if parsed.port is not None and not 0 < parsed.port < PORTS:
        raise CallRefused(f"a port must be a number from 1 to {PORTS - 1}")
    return parsed


def _literal(url: httpx.URL, anywhere: bool) -> None:
    """Check a numeric address at once; a name is resolved when the address is called."""
    try:
        address = ipaddress.ip_address(url.host)
    except ValueError:
        return
    _check(address, anywhere)


def _check(address: Address, anywhere: bool) -> None:
    if not (anywhere or is_open(address)):
        raise CallRefused("this address is not on the public internet, so it is not called")


async def _resolved(url: httpx.URL, anywhere: bool) -> list[str]:
    """Return the addresses of the host, all of them checked. Raises `CallRefused`."""
    addresses = await _look_up(url.raw_host.decode("ascii"), url.port or SCHEMES[url.scheme])
    for address in addresses:
        _check(ipaddress.ip_address(address), anywhere)
    return addresses


async def _look_up(host: str, port: int) -> list[str]:
    """Resolve a name in a thread, because a slow name server would block other work."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[str]] = loop.create_future()

    def settle(addresses: list[str]) -> None:
        if not found.done():
            found.set_result(addresses)

    def ask() -> None:
        try:
            there = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            there = []
        with contextlib.suppress(RuntimeError):  # the loop may be closed already
            loop.call_soon_threadsafe(settle, [str(place[0]) for *_, place in there])

    threading.Thread(target=ask, name="plybook-resolver", daemon=True).start()
    addresses = await found
    if not addresses:
        raise CallRefused("the name of the host cannot be resolved")
    return addresses


@functools.cache
def _certificates() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()


async def _post(url: httpx.URL, body: bytes, headers: Mapping[str, str], anywhere: bool) -> int:
    import httpx

    *others, last = await _resolved(url, anywhere)
    # A connection is verified for one name, so it is not reused for other names.
    async with httpx.AsyncClient(verify=_certificates(), trust_env=False) as client:
        for address in others:
            with contextlib.suppress(httpx.ConnectError, httpx.ConnectTimeout):
                return await _post_to(client, address, url, body, headers)
        return await _post_to(client, last, url, body, headers)


async def _post_to(
    client: httpx.AsyncClient, address: str, url: httpx.URL, body: bytes, headers: Mapping[str, str]
) -> int:
    """Post to one address of the host, and return the status. Raises the errors of `httpx`."""
    request = client.build_request(
        "POST",
        url.copy_with(host=address),
        content=body,
        headers={**headers, "Host": url.netloc.decode("ascii")},
        extensions={"sni_hostname": url.raw_host.decode("ascii")},
        timeout=CONNECT_TIMEOUT,
    )
    answer = await client.send(request, stream=True, follow_redirects=False)
    await answer.aclose()
    return answer.status_code
