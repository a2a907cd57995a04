"""What holds for all tests: property-based ones are repeatable, and no machine is too slow for them.

`pytest --hypothesis-profile=explore` tries other examples at every run, and more of them.
"""

import signal

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.register_profile("explore", deadline=None)
settings.load_profile("repeatable")

# A shell's background job is deaf to Ctrl-C, and so would be all that tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
