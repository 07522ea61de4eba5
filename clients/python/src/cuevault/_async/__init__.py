"""The asyncio client. Everything in `_sync` but its `runtime` is generated from here by `hatch_build.py`."""
