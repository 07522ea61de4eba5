"""The blocking client, generated from `_async` by `hatch_build.py`; only `runtime` is written by hand."""
