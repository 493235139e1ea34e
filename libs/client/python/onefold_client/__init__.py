"""Calls Onefold from Python: every operation of both APIs, with types, and nothing but the standard library."""

from ._client import ClientOptions
from ._errors import ApiError, NoResponse, OutOfTime
from ._lists import ListCall
from ._send import DownloadedFile
from ._webhooks import WebhookRefused, verify_webhook
from .generated.groups import Onefold

__all__ = [
    "ApiError",
    "ClientOptions",
    "DownloadedFile",
    "ListCall",
    "NoResponse",
    "Onefold",
    "OutOfTime",
    "WebhookRefused",
    "verify_webhook",
]
