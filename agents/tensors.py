"""Named arrays as bytes, in the safetensors format: a length, a JSON head, and plain numbers. Reading runs no code."""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.envs.core.errors import ConfigError

TYPES = {"F64": "f8", "F32": "f4", "F16": "f2", "I64": "i8", "U64": "u8", "U32": "u4", "U8": "u1"}
"""Names of number types and how numpy calls them."""
_NAMES = {np.dtype(code): name for name, code in TYPES.items()}
_LENGTH_BYTES = 8
_NOTES = "__metadata__"

Arrays = dict[str, NDArray[Any]]


def pack(arrays: Mapping[str, NDArray[Any]], notes: Mapping[str, str] | None = None) -> bytes:
    """The bytes of named arrays, with notes beside them."""
    head: dict[str, Any] = {_NOTES: dict(notes)} if notes else {}
    parts, at = [], 0
    for name, array in arrays.items():
        data = np.ascontiguousarray(array).tobytes()
        place = [at, at + len(data)]
        head[name] = {"dtype": _NAMES[array.dtype], "shape": list(array.shape), "data_offsets": place}
        parts.append(data)
        at = place[1]
    told = json.dumps(head, separators=(",", ":")).encode()
    told += b" " * (-len(told) % _LENGTH_BYTES)
    return b"".join([len(told).to_bytes(_LENGTH_BYTES, "little"), told, *parts])


def unpack(data: bytes) -> tuple[Arrays, dict[str, str]]:
    """The arrays and the notes that `pack` wrote.

    Raises:
        ConfigError: If the bytes are damaged, cut short or something else. The message begins with "it".
    """
    try:
        return _unpacked(data)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, ConfigError):
            raise
        raise ConfigError(f"it is no safetensors file: {type(error).__name__}: {error}") from error


def _unpacked(data: bytes) -> tuple[Arrays, dict[str, str]]:
    start = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")
    if start > len(data):
        raise ConfigError("it is cut short or no safetensors file: its head is longer than the file")
    head = json.loads(data[_LENGTH_BYTES:start])
    notes = {str(key): str(value) for key, value in head.pop(_NOTES, {}).items()}
    arrays, at = {}, start
    for name, entry in head.items():
        kind, shape = np.dtype(TYPES[entry["dtype"]]), tuple(map(_length, entry["shape"]))
        size = math.prod(shape) * kind.itemsize
        if entry["data_offsets"] != [at - start, at - start + size]:
            raise ConfigError(f"it is damaged: {name!r} does not lie where it should")
        if at + size > len(data):
            raise ConfigError(f"it is cut short: {name!r} ends beyond its {len(data)} bytes")
        arrays[name] = np.frombuffer(data, kind, math.prod(shape), at).reshape(shape).copy()
        at += size
    if at != len(data):
        raise ConfigError(f"it is damaged: {len(data) - at} bytes belong to nothing")
    return arrays, notes


def _length(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ConfigError(f"it is damaged: {value!r} is no length")
    return value
