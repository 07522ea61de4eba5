"""The asyncio client. Everything in `_sync` but its `runtime` is generated from here: scripts/generate_sync.py."""
