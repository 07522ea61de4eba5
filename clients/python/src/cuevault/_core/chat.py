"""The messages of a chat, and the lists of messages that applications insert."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import InvalidRequestError, invalid_call, listed

Messages = Sequence[Mapping[str, Any]]
"""The messages of a chat as they are stored: role and content, or a placeholder for a list of messages."""

Placeholders = Mapping[str, Sequence[object] | None]
"""Lists of messages by the names of their placeholders: mappings, or objects of an SDK."""


def is_placeholder(message: Mapping[str, Any]) -> bool:
    """Whether a message stands for a list of messages."""
    return "type" in message


def are_messages(value: object) -> bool:
    """Whether a value of a reply is a list of messages and placeholders."""
    return isinstance(value, list) and all(
        isinstance(each, dict)
        and isinstance(each.get("name" if each.get("type") == "placeholder" else "content"), str)
        for each in value
    )


def _is_message(value: object) -> bool:
    return value is not None and not isinstance(value, (str, bytes, bool, int, float, list, tuple, set))


def checked_lists(messages: Messages, lists: object) -> dict[str, Sequence[object]]:
    """The lists for the placeholders of these messages, without those that are None.

    Raises InvalidRequestError for a name without a placeholder, or for anything but lists of messages.
    """
    if not isinstance(lists, Mapping):
        raise invalid_call("The placeholders must be a mapping of names to lists of messages.")
    names = [str(each["name"]) for each in messages if is_placeholder(each)]
    sent = {name: found for name, found in lists.items() if found is not None}
    for name, found in sent.items():
        if name not in names:
            others = f", only: {listed(dict.fromkeys(names))}" if names else ""
            raise invalid_call(f"The prompt has no placeholder for messages {listed([name])}{others}.")
        if not (isinstance(found, (list, tuple)) and all(map(_is_message, found))):
            raise invalid_call(f"The placeholder {listed([name])} must be a list of message objects.")
    return sent


def inserted(messages: Messages, lists: Mapping[str, Sequence[object]]) -> list[Any]:
    """The messages with the lists in place of placeholders, each message as it is.

    Raises InvalidRequestError (`missing_placeholders`), which names all.
    """
    holes = [each for each in messages if is_placeholder(each) and each.get("optional") is not True]
    missing = [str(each["name"]) for each in holes if each["name"] not in lists]
    if missing:
        sentence = (
            f'The prompt needs messages for {listed(dict.fromkeys(missing))}. Add it to "placeholders".'
        )
        raise InvalidRequestError(sentence, code="missing_placeholders")
    whole: list[Any] = []
    for message in messages:
        whole += lists.get(message["name"], ()) if is_placeholder(message) else (message,)
    return whole
