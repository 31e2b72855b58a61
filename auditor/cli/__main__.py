"""`python -m auditor.cli`: the program without its script on the path."""

import sys

from auditor.cli import main

sys.exit(main())
