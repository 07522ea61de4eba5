"""Helpers of the tests: servers, drivers and a fake service."""

from __future__ import annotations
