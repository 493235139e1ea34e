from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from ._operation import DescribedOperation

Page = TypeVar("Page")
Record = TypeVar("Record")

_PAGE_SIZE = 100
"""Sent where nobody says one, so that a short page of the management API is known as the last."""


class ListCall(Generic[Page, Record]):
    """The call of a list. Iterating goes over the records of all pages, `pages()` over the pages, and `page()` is the first of them.

    Each page is asked for when the one before has been used. Nothing is sent before.
    """

    def __init__(
        self,
        operation: DescribedOperation,
        values: Mapping[str, Any],
        read: Callable[[Mapping[str, Any]], Any],
    ) -> None:
        self._operation = operation
        self._values = dict(values)
        self._read = read

    def page(self) -> Page:
        """Returns the first page, with what the API says beside the records."""
        page: Page = self._read(self._values)
        return page

    def pages(self) -> Iterator[Page]:
        following = self._operation.next or "cursor"
        values = dict(self._values)
        if following == "start_after" and values.get("limit") is None:
            values["limit"] = _PAGE_SIZE
        while True:
            page = self._read(values)
            yield page
            rows = page.get("result") or []
            if following == "cursor":
                at = page.get("cursor")
            else:
                at = rows[-1].get(self._operation.after) if len(rows) >= values["limit"] else None
            if not at:
                return
            values[following] = at

    def __iter__(self) -> Iterator[Record]:
        for page in self.pages():
            yield from page.get("result") or []  # type: ignore[attr-defined]

    def to_list(self, maximum: int | None = None) -> list[Record]:
        """Returns all records of all pages. With a maximum, more of them are a ValueError."""
        records: list[Record] = []
        for record in self:
            if len(records) == maximum:
                raise ValueError(f"{self._operation.id}: more than {maximum} records")
            records.append(record)
        return records
