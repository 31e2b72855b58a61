"""`python -m auditor.cli`: the program where its script is not on the path."""

import sys

from auditor.cli.commands import main

sys.exit(main())
