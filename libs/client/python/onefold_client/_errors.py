from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class ApiError(Exception):
    """A response of the API with an error. Its text says what is wrong and, where the API does, what to do."""

    def __init__(
        self, operation: str, status: int, problem: dict[str, Any] | None, headers: Mapping[str, str]
    ) -> None:
        super().__init__(_describe(operation, status, problem))
        self.operation = operation
        """The operation, such as `ticketing_get_ticket`."""
        self.status = status
        self.problem = problem
        """The body; None if the response is of somebody else, such as a proxy."""
        self.headers = headers
        self.request_id = headers.get("x-request-id")
        """The id of the request in the logs of the service."""

    @property
    def remediation(self) -> str | None:
        """The remedy for the caller, where the API knows one."""
        return (self.problem or {}).get("remediation")


class NoResponse(ConnectionError):
    """There is no connection to the service, or it broke before the response."""

    def __init__(self, operation: str, reason: object) -> None:
        super().__init__(f"{operation}: no response: {reason}")
        self.operation = operation


class OutOfTime(TimeoutError):
    """A call did not end in its time."""

    def __init__(self, operation: str, seconds: float) -> None:
        super().__init__(f"{operation}: no response within {seconds:g} s")
        self.operation = operation


def _describe(operation: str, status: int, problem: dict[str, Any] | None) -> str:
    if problem is None:
        return f"{operation}: status {status} without a problem of the API"
    texts = [problem.get("message"), problem.get("detail")]
    for cause in problem.get("cause") or []:
        texts += [cause.get("message"), cause.get("remediation")]
    texts.append(problem.get("remediation"))
    parts: list[str] = []
    # The API repeats what is in one place in another: each is said once.
    for text in texts:
        if text and not any(text in part for part in parts):
            parts.append(text)
    return f"{operation}: {status}: {'; '.join(parts)}"
