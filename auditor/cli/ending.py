"""The end of the program: one line on standard error and an exit status, whatever happens.

Python reports some errors only when it has ended, by itself and with an exit status of its own. So all output is
flushed here.
"""

import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

CANNOT_RUN = 2
SIGNAL_BASE = 128
"""A shell reports a program that a signal ended by this number and the signal's."""
_ENDING = (signal.SIGTERM, signal.SIGHUP)


class SignalInterrupt(KeyboardInterrupt):
    """A signal asks the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def guard(run: Callable[[], int]) -> int:
    """Return the exit status of *run*, with its output written; one line on standard error tells any failure.

    2: the output cannot be written, or an unexpected error. 130, 143: ended by a signal. 141: the reader of
    the output is gone. A wrong usage raises SystemExit, as argparse does.
    """
    _open_closed_streams()
    try:
        with _raise_at_signals():
            try:
                status = run()
            except SystemExit:
                _flush()
                raise
            _flush()
            return status
    except BrokenPipeError:
        _discard(sys.stdout)
        _discard(sys.stderr)
        return SIGNAL_BASE + signal.SIGPIPE
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001  Python's own exit status would mean findings
        return _fail(*_describe(error))


def _flush() -> None:
    """Write all output; raises OSError."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()


def _describe(error: BaseException) -> tuple[str, int]:
    """Return *error* in words, and the exit status."""
    if isinstance(error, SignalInterrupt) and error.number != signal.SIGINT:
        return f"ended by {signal.Signals(error.number).name}", SIGNAL_BASE + error.number
    if isinstance(error, KeyboardInterrupt):
        return "interrupted", SIGNAL_BASE + signal.SIGINT
    if isinstance(error, OSError):
        return _describe_refusal(error), CANNOT_RUN
    if isinstance(error, MemoryError):
        return "out of memory; give fewer dumps at once", CANNOT_RUN
    from auditor.util.crash import describe_crash

    return f"internal error: {describe_crash(error)}; please report it", CANNOT_RUN


def _describe_refusal(error: OSError) -> str:
    """Return in words what the system refused."""
    try:
        os.getcwd()  # noqa: PTH109  the shortest question
    except OSError:
        return "the working folder is gone; change to another folder"
    reason = error.strerror or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename is not None else f"cannot write the output: {reason}"


def _fail(message: str, status: int) -> int:
    """Print *message* after what was printed before, and return *status*."""
    from auditor.util.printable import printable

    for stream, text in ((sys.stdout, ""), (sys.stderr, f"roce-audit: {printable(message)}\n")):
        try:
            stream.write(text)
            stream.flush()
        except (OSError, ValueError):
            _discard(stream)
    return status


def _discard(stream: object) -> None:
    """Lead what *stream* still holds to nothing, because Python writes it once more at its end."""
    with suppress(OSError, ValueError):
        if isinstance(stream, io.TextIOWrapper):
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, stream.fileno())
            os.close(nothing)


def _open_closed_streams() -> None:
    """Give each standard stream that the caller has closed a descriptor, which no file must get by chance.

    Standard output then refuses to be written; the others are empty.
    """
    for number, (name, flags, mode) in enumerate(
        (("stdin", os.O_RDONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w"))
    ):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, flags)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


@contextmanager
def _raise_at_signals() -> Iterator[None]:
    """Raise SignalInterrupt where a signal asks the program to end, so that child processes and temporary files go."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    changed = [number for number in _ENDING if signal.getsignal(number) is signal.SIG_DFL]
    for number in changed:
        signal.signal(number, _raise_interrupt)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


def _raise_interrupt(number: int, _: object) -> NoReturn:
    raise SignalInterrupt(number)
