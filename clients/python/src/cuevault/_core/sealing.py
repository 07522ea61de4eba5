"""Encryption of offline copies. Needs the package cryptography."""

from __future__ import annotations

import secrets as randomness
from collections.abc import Mapping

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_INFO = b"cuevault offline copy v1"
_SALT_BYTES = 16
_IV_BYTES = 12
_TAG_BYTES = 16
_KEY_BYTES = 32


def _cipher(api_key: str, salt: bytes) -> AESGCM:
    """AES-256-GCM under a key that HKDF-SHA256 (RFC 5869) derives from an API key, one for each box."""
    return AESGCM(HKDF(SHA256(), _KEY_BYTES, salt, _INFO).derive(api_key.encode()))


def seal(api_key: str, data: bytes, bound_to: str) -> dict[str, bytes]:
    """A box (salt, iv, tag, data) that opens only with the same API key and the same `bound_to`."""
    salt, iv = randomness.token_bytes(_SALT_BYTES), randomness.token_bytes(_IV_BYTES)
    sealed = _cipher(api_key, salt).encrypt(iv, data, bound_to.encode())
    return {"salt": salt, "iv": iv, "tag": sealed[-_TAG_BYTES:], "data": sealed[:-_TAG_BYTES]}


def unseal(api_key: str, box: Mapping[str, bytes], bound_to: str) -> bytes:
    """The contents of a box. Raises ValueError."""
    try:
        return _cipher(api_key, box["salt"]).decrypt(box["iv"], box["data"] + box["tag"], bound_to.encode())
    except InvalidTag:
        raise ValueError("The copy cannot be decrypted.") from None
