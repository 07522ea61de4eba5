#!/bin/sh
# Starts a program without Cuevault code, with the secrets tagged "sample" in its environment, each name prefixed with
# APP_. Needs CUEVAULT_URL, CUEVAULT_API_KEY and the package cuevault in the folder where it starts.
exec ./node_modules/.bin/cuevault run --tags sample --prefix APP_ -- node "$(dirname "$0")/worker.js"
