from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ._lists import ListCall
from ._operation import describe_operation
from ._send import CallOptions, DownloadedFile, send_json, send_operation


@dataclass(frozen=True)
class ClientOptions:
    """How a client calls the service."""

    url: str
    """The address of the service, such as `https://onefold.example.com`."""
    token: str | Callable[[], str] | None = None
    """An access token, or a function that returns the present one: it is asked before each attempt."""
    timeout: float | None = None
    """Seconds of a whole call with its retries; a little more than the service takes when absent. Files have none."""
    max_retries: int = 3
    """How often a call is sent again at most."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers of every request, such as `traceparent`."""

    def __repr__(self) -> str:
        return f"ClientOptions(url={self.url!r}, token=[secret])"


class Group:
    """Operations of one group, such as `onefold.ticketing`."""

    def __init__(self, options: ClientOptions) -> None:
        self._options = options

    def _json(self, line: str, values: Mapping[str, Any], call: CallOptions | None) -> Any:
        return send_json(describe_operation(line), values, self._options, call)

    def _file(self, line: str, values: Mapping[str, Any], call: CallOptions | None) -> DownloadedFile:
        return send_operation(describe_operation(line), values, self._options, call, DownloadedFile)

    def _list(self, line: str, values: Mapping[str, Any], call: CallOptions | None) -> ListCall[Any, Any]:
        operation = describe_operation(line)
        return ListCall(
            operation, values, lambda page: send_json(operation, page, self._options, call)
        )
