from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal


@dataclass(frozen=True)
class DescribedOperation:
    """The facts that sending an operation and reading its response need."""

    id: str
    method: str
    path: str
    """`/v1/ticketing/tickets/{ticketId}`; a parameter with `*` has several segments."""
    next: Literal["cursor", "start_after"] | None
    """The query parameter that leads to the next page of a list."""
    after: str
    """The field of the last record that `start_after` takes."""
    is_file: bool
    is_upload: bool
    takes_key: bool
    """True if it supports `Idempotency-Key`."""
    polls: bool
    """True if the service may ask a provider over and over before it answers."""


@cache
def describe_operation(line: str) -> DescribedOperation:
    """Reads a line of the generated groups, such as `accounts_list GET /v1/accounts after=id`."""
    id, method, path, *marks = line.split(" ")
    after = next((mark[len("after=") :] for mark in marks if mark.startswith("after=")), "")
    return DescribedOperation(
        id=id,
        method=method,
        path=path,
        next="cursor" if "cursor" in marks else "start_after" if after else None,
        after=after,
        is_file="file" in marks,
        is_upload="upload" in marks,
        takes_key="key" in marks,
        polls="polls" in marks,
    )
