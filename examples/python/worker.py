"""A program that reads its secrets from environment variables."""

from __future__ import annotations

import os
import sys
from urllib.parse import urlsplit

database = os.environ.get("APP_DATABASE_URL")
if not database or not os.environ.get("APP_OPENAI_API_KEY"):
    sys.exit("APP_DATABASE_URL and APP_OPENAI_API_KEY must be set.")
parts = urlsplit(database)
print(f"Working with the database {parts.path[1:]} at {parts.hostname}.")
