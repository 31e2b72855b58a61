"""xz unpacked in bounded memory: `lzma.open` lets the header of a file claim gigabytes for its dictionary."""

import io
import lzma
import os
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAX_MEMORY = 2**28  # `xz -9` needs a quarter of it
_CHUNK = 2**16


def open_xz(file: BinaryIO) -> BinaryIO:
    """Return the unpacked xz *file*; a read raises LZMAError or EOFError for a damaged or greedy file."""
    return io.BufferedReader(_Xz(file), _CHUNK)


class _Xz(io.RawIOBase):
    """The streams of an xz file, one after the other; going back unpacks again from the beginning."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._rewind()

    def _rewind(self) -> None:
        self._file.seek(0)
        self._position = 0
        self._unpacker = lzma.LZMADecompressor(memlimit=MAX_MEMORY)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer)
        data = b""
        while not data:
            packed = b""
            if self._unpacker.eof:
                packed = self._next_stream()
                if not packed:
                    return 0
                self._unpacker = lzma.LZMADecompressor(memlimit=MAX_MEMORY)
            elif self._unpacker.needs_input:
                packed = self._file.read(_CHUNK)
                if not packed:
                    raise EOFError("compressed file ended before its end marker")
            data = self._unpacker.decompress(packed, len(view))
        view[: len(data)] = data
        self._position += len(data)
        return len(data)

    def _next_stream(self) -> bytes:
        """Return the beginning of the next stream; between two there may be zeros."""
        packed = self._unpacker.unused_data.lstrip(b"\0")
        while not packed and (chunk := self._file.read(_CHUNK)):
            packed = chunk.lstrip(b"\0")
        return packed

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence == os.SEEK_END:
            raise io.UnsupportedOperation("the end of an xz file is not known before it is unpacked")
        target = offset + (self._position if whence == os.SEEK_CUR else 0)
        if target < self._position:
            self._rewind()
        while self._position < target and self.read(min(_CHUNK, target - self._position)):
            pass
        return self._position
