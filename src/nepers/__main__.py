"""``python -m nepers`` is ``nepers``."""

import sys

from nepers.cli import main

sys.exit(main())
