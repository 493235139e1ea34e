from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from ._operation import DescribedOperation

Page = TypeVar("Page")
Record = TypeVar("Record")


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
        while True:
            page = self._read(values)
            yield page
            # A short page need not be the last: the service may give fewer records than were asked for. Behind the last one there are none.
            rows = page.get("result") or []
            if following == "cursor":
                at = page.get("cursor")
            else:
                at = rows[-1].get(self._operation.after) if rows else None
            if not at:
                return
            if at == values.get(following):
                raise RuntimeError(f"{self._operation.id}: the page behind {at} leads to itself")
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
