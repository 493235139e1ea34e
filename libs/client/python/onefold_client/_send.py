from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import IO, TYPE_CHECKING, Any, TypedDict, TypeVar

from ._errors import ApiError, NoResponse, OutOfTime
from ._operation import DescribedOperation

if TYPE_CHECKING:
    from ._client import ClientOptions


Answer = TypeVar("Answer")


class CallOptions(TypedDict, total=False):
    """The options of one call."""

    timeout: float
    max_retries: int
    headers: Mapping[str, str]
    idempotency_key: str
    """Where the operation supports one, a key is made for each call when absent: attempts of one call create one record."""


# The service itself answers within 60 s, or 300 s where it polls a provider.
_TIMEOUT = 70.0
_POLLING_TIMEOUT = 310.0
_FIRST_PAUSE = 0.5
_MAX_PAUSE = 8.0
# Statuses after which the same request may succeed a moment later.
_PASSING = {429, 502, 503, 504}
_REPEATABLE_METHODS = {"GET", "PUT", "DELETE"}


class DownloadedFile:
    """The content of a file, as a stream: `with` closes it, and iterating goes over its pieces."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self._response = response
        self.headers = _headers(response.headers)
        """By their names in lower case."""

    def read(self, size: int = -1) -> bytes:
        return self._response.read() if size < 0 else self._response.read(size)

    def __iter__(self) -> Iterator[bytes]:
        while piece := self._response.read(65_536):
            yield piece

    def __enter__(self) -> DownloadedFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._response.close()


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The API redirects nowhere, and the token is for nobody else."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def send_json(
    operation: DescribedOperation,
    values: Mapping[str, Any],
    client: ClientOptions,
    call: CallOptions | None,
) -> Any:
    """Sends an operation and returns the JSON of its response; None where that has no body."""
    text = send_operation(operation, values, client, call, _read)
    return json.loads(text) if text else None


def _read(response: http.client.HTTPResponse) -> bytes:
    with response:
        return response.read()


def send_operation(
    operation: DescribedOperation,
    values: Mapping[str, Any],
    client: ClientOptions,
    call: CallOptions | None,
    read: Callable[[http.client.HTTPResponse], Answer],
) -> Answer:
    """Sends an operation until it succeeds, may not be sent again, or its time is over.

    `read` reads the successful response; a connection that breaks meanwhile counts as a missing response. Raises ApiError, NoResponse or OutOfTime.
    """
    options = call or {}
    url, body, own_headers = _request(operation, values, client.url)
    is_stream = hasattr(body, "read")
    key = options.get("idempotency_key") or (str(uuid.uuid4()) if operation.takes_key else None)
    is_repeatable = not is_stream and (
        operation.method in _REPEATABLE_METHODS or operation.takes_key
    )
    retries = 0 if is_stream else options.get("max_retries", client.max_retries)
    timeout = options.get("timeout", client.timeout)
    if timeout is None and not (operation.is_file or operation.is_upload):
        timeout = _POLLING_TIMEOUT if operation.polls else _TIMEOUT
    end = None if timeout is None else time.monotonic() + timeout
    attempt = 0
    while True:
        attempt += 1
        token = client.token() if callable(client.token) else client.token
        headers = {
            "Accept": "application/json",
            **client.headers,
            **own_headers,
            **({} if token is None else {"Authorization": f"Bearer {token}"}),
            **({} if key is None else {"Idempotency-Key": key}),
            **options.get("headers", {}),
        }
        request = urllib.request.Request(url, data=body, headers=headers, method=operation.method)
        left = None if end is None else end - time.monotonic()
        if timeout is not None and left is not None and left <= 0:
            raise OutOfTime(operation.id, timeout)
        status: int | None = None
        retry_after: str | None = None
        try:
            # A socket waits this long for each piece of the response, not for all of it.
            return read(_opener.open(request, timeout=left))
        except urllib.error.HTTPError as refused:
            with refused:
                status, retry_after = refused.code, refused.headers.get("retry-after")
                problem = _problem(refused.read())
            headers_got = _headers(refused.headers)
            error: Exception = ApiError(operation.id, refused.code, problem, headers_got)
        except OSError as broken:
            reason = broken.reason if isinstance(broken, urllib.error.URLError) else broken
            if timeout is not None and isinstance(reason, TimeoutError):
                raise OutOfTime(operation.id, timeout) from broken
            error = NoResponse(operation.id, reason)
            error.__cause__ = broken
        except http.client.HTTPException as broken:
            error = NoResponse(operation.id, repr(broken))
            error.__cause__ = broken
        pause = _pause(attempt, retry_after)
        is_in_time = end is None or time.monotonic() + pause < end
        if attempt > retries or not is_in_time or not _may_send_again(status, is_repeatable):
            raise error
        time.sleep(pause)


def _may_send_again(status: int | None, is_repeatable: bool) -> bool:
    """Of a call that may have had an effect, only one that was refused because there were too many is sent again."""
    if status is None:
        return is_repeatable
    return status in _PASSING and (is_repeatable or status == 429)


def _pause(attempt: int, retry_after: str | None) -> float:
    """Seconds before the next attempt: as `Retry-After` says, otherwise twice as long after each, by chance up to a half shorter."""
    if retry_after is not None:
        if retry_after.isdigit():
            return float(retry_after)
        try:
            return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
        except ValueError:
            pass
    longest: float = min(_MAX_PAUSE, _FIRST_PAUSE * 2 ** (attempt - 1))
    return longest * (1 - random.random() / 2)


def _request(
    operation: DescribedOperation, values: Mapping[str, Any], base: str
) -> tuple[str, Any, dict[str, str]]:
    query = {name: value for name, value in values.items() if value is not None}
    body = query.pop("body", None)
    parts: list[str] = []
    for segment in operation.path.split("/"):
        if not segment.startswith("{"):
            parts.append(segment)
            continue
        name = segment.strip("{}*")
        value = query.pop(name, None)
        is_open = segment.endswith("*}")
        if value is None or (value == "" and not is_open):
            raise TypeError(f"{operation.id} needs {name}")
        parts.append(urllib.parse.quote(_text(value), safe="/" if is_open else ""))
    pairs = [
        (name, _text(one))
        for name, value in query.items()
        for one in (value if isinstance(value, (list, tuple)) else [value])
    ]
    url = base.rstrip("/") + "/".join(parts)
    if pairs:
        url += "?" + urllib.parse.urlencode(pairs)
    if body is None:
        return url, None, {}
    if operation.is_upload:
        return url, body, {"Content-Type": "application/octet-stream"}
    return url, json.dumps(body).encode(), {"Content-Type": "application/json"}


def _headers(message: Message) -> dict[str, str]:
    return {name.lower(): str(value) for name, value in message.items()}


def _text(value: Any) -> str:
    """A parameter in an address; other values than texts are as in JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def _problem(text: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) and "message" in value else None


Upload = bytes | IO[bytes]
"""The content of a file that is uploaded. A stream is sent once, without retries."""
