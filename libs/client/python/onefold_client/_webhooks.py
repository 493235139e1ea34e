from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any


class WebhookRefused(Exception):
    """A request whose signature is missing, wrong or too old."""


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    tolerance: float = 300,
    now: float | None = None,
) -> tuple[str, dict[str, Any]]:
    """Checks a request to a webhook by its Standard Webhooks signature, and returns its id and its event.

    `body` is the body as it came, byte for byte; `secrets` the secret of the webhook, or all that are accepted while it is changed. A request
    that is more than `tolerance` seconds older or newer than `now` is refused. Raises WebhookRefused.
    """
    given = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not given.get(name):
            raise WebhookRefused(f"the request has no header {name}")
    id, sent = given["webhook-id"], given["webhook-timestamp"]
    try:
        distance = abs((time.time() if now is None else now) - float(sent))
    except ValueError:
        distance = float("inf")
    if not distance <= tolerance:
        raise WebhookRefused(f"the time of the request, {sent}, is too far from now")
    signed = f"{id}.{sent}.".encode() + body
    signatures = [one[3:] for one in given["webhook-signature"].split(" ") if one.startswith("v1,")]
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        digest = hmac.new(_key(secret), signed, hashlib.sha256).digest()
        expected = base64.b64encode(digest)
        if any(hmac.compare_digest(expected, one.encode()) for one in signatures):
            return id, json.loads(body)
    raise WebhookRefused("no signature of the request is by the secret of the webhook")


def _key(secret: str) -> bytes:
    """The key is the text itself, or what is behind `whsec_` in base64."""
    if not secret.startswith("whsec_"):
        return secret.encode()
    try:
        return base64.b64decode(secret[len("whsec_") :], validate=True)
    except binascii.Error as wrong:
        raise TypeError("the secret behind whsec_ is not base64") from wrong
