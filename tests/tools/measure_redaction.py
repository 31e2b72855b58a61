"""Print the share of generated secrets that redaction removes, by dialect, and the precision on look-alikes.

Run it with `python tests/tools/measure_redaction.py`; `--half second_half.txt` takes one table of forms,
`--leaks` lists the forms that leak.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "samples"))
from redaction_forms import HALVES, Form, choose, combine_names, list_leaks, read_forms, read_lookalikes

from auditor.util.redact_lines import redact_lines

EXAMPLES = 12
"""Examples of each form."""


def measure(forms: Iterable[Form], examples: int) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Return by dialect the examples, those without a leak, and by form the leaks."""
    asked: Counter[str] = Counter()
    gone: Counter[str] = Counter()
    leaks: Counter[str] = Counter()
    for form in forms:
        random = Random(form.template)
        for _ in range(examples):
            example = choose(form, random)
            asked[form.dialect] += 1
            if list_leaks("\n".join(redact_lines(example.text.split("\n"))), example):
                leaks[f"{form.dialect}: {form.template}"] += 1
            else:
                gone[form.dialect] += 1
    return asked, gone, leaks


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if a share is below 0.99 or a look-alike changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=HALVES, help="one table of forms (default: all)")
    parser.add_argument("--leaks", action="store_true", help="list the forms that leak")
    arguments = parser.parse_args(argv)
    forms = [form for file in ([arguments.half] if arguments.half else HALVES) for form in read_forms(file)]
    if not arguments.half:
        forms += combine_names()
    asked, gone, leaks = measure(forms, EXAMPLES)
    for dialect in sorted(asked):
        count = sum(form.dialect == dialect for form in forms)
        print(f"{dialect:18} {count:5} forms {asked[dialect]:6} examples  gone {gone[dialect] / asked[dialect]:.4f}")
    share = gone.total() / asked.total()
    print(f"{'all':18} {len(forms):5} forms {asked.total():6} examples  gone {share:.4f}")
    if arguments.leaks:
        for name, count in leaks.most_common():
            print(f"  leaks {count:3} of {EXAMPLES}: {name}")
    texts = read_lookalikes()
    lost = [text for text in texts if "\n".join(redact_lines(text.split("\n"))) != text]
    print(f"precision: {len(texts)} look-alikes, {len(lost)} changed")
    for text in lost:
        print(f"  {text!r}\n  {chr(10).join(redact_lines(text.split(chr(10))))!r}")
    return int(share < 0.99 or bool(lost))


if __name__ == "__main__":
    sys.exit(main())
