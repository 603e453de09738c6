"""Any bytes in paths, queries and headers get an answer, and never cause a server error."""

from __future__ import annotations

from urllib.parse import quote_from_bytes

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contract.operations import list_operations, path_values

TELLING = st.sampled_from(
    [b"", b"0", b"-1", b"1e9", b"9" * 30, *b"null true %00 \x00 \xff\xfe .. *".split(b" ")]
)
VALUES = TELLING | st.binary(max_size=40) | st.text(max_size=20).map(lambda t: t.encode("utf-8"))
NAMES = (
    *("Authorization", "Cookie", "Origin", "Accept", "Accept-Encoding", "Content-Type", "Range"),
    *("If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID"),
)
HEADERS = st.sampled_from(NAMES)
WORDS = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60).map(str.strip)


@pytest.fixture(scope="module")
def found(server, schema) -> dict[str, str]:
    return path_values(server, server.open("blockade"), schema)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_random_bytes_cause_no_server_error(server, schema, found, data):
    operation = data.draw(st.sampled_from(list_operations(schema)))
    values = dict(found)
    query = []
    for name in operation.parameters:
        if f"{{{name}}}" not in operation.path and data.draw(st.booleans()):
            query.append(
                f"{quote_from_bytes(name.encode())}={quote_from_bytes(data.draw(VALUES), safe='')}"
            )
        elif data.draw(st.integers(0, 2)) == 0:
            values[name] = quote_from_bytes(data.draw(VALUES), safe="")
    path = operation.address(values) + (f"?{'&'.join(query)}" if query else "")
    sent = data.draw(st.dictionaries(HEADERS, WORDS, max_size=2))
    request = server.client.build_request(operation.method, path, headers=sent)
    answer = server.client.send(request, stream=True)
    try:
        assert answer.status_code < 500, (operation.method, path, sent, answer.read())
    finally:
        answer.close()
