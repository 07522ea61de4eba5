#!/bin/sh
# Starts a program that does not know Cuevault, with the secrets tagged "sample" in its environment, each name with
# APP_ before it. Needs CUEVAULT_URL and CUEVAULT_API_KEY, and the package cuevault.
exec python -m cuevault run --tags sample --prefix APP_ -- python "$(dirname "$0")/worker.py"
