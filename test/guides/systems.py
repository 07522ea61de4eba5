#!/usr/bin/env python
"""Does what other systems do with the files of a guide, against the Cuevault of CUEVAULT_URL and CUEVAULT_API_KEY.

systems.py compose SERVICE                  starts what Dockerfile and compose.yml say
systems.py kubernetes FILE                  starts the first container of the Deployment
systems.py external-secrets STORE EXTERNAL  prints the Secret that External Secrets Operator would write
systems.py github WORKFLOW                  runs the steps that call Cuevault
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from http import HTTPStatus
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import yaml


def start(command: list[str], environment: dict[str, str]) -> None:
    """The API key is in a file, which is elsewhere here."""
    settings = dict(environment)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CUEVAULT_")}
    if "CUEVAULT_API_KEY_FILE" in settings:
        Path("api-key").write_text(os.environ["CUEVAULT_API_KEY"])
        settings["CUEVAULT_API_KEY_FILE"] = "api-key"
    subprocess.run(command, check=True, env={**inherited, **settings})


def compose(service: str) -> None:
    lines = Path("Dockerfile").read_text().splitlines()
    words = dict(line.split(" ", 1) for line in lines if line.startswith(("ENTRYPOINT", "CMD")))
    command = [word for name in ("ENTRYPOINT", "CMD") for word in json.loads(words[name])]
    start(command, yaml.safe_load(Path("compose.yml").read_text())["services"][service]["environment"])


def kubernetes(file: str) -> None:
    container = yaml.safe_load(Path(file).read_text())["spec"]["template"]["spec"]["containers"][0]
    settings = {entry["name"]: entry["value"] for entry in container["env"]}
    start([*container["command"], *container["args"]], settings)


def external_secrets(store: str, external: str) -> None:
    webhook = yaml.safe_load(Path(store).read_text())["spec"]["provider"]["webhook"]
    for source in yaml.safe_load(Path(external).read_text())["spec"]["dataFrom"]:

        def filled(text: str, key: str = source["extract"]["key"]) -> str:
            auth = text.replace("{{ .auth.key }}", os.environ["CUEVAULT_API_KEY"])
            return auth.replace("{{ .remoteRef.key }}", key)

        headers = {name: filled(value) for name, value in webhook["headers"].items()}
        request = Request(webhook["url"], filled(webhook["body"]).encode(), headers, method=webhook["method"])
        try:
            with urlopen(request) as reply:
                print(json.dumps(json.load(reply)[webhook["result"]["jsonPath"].removeprefix("$.")]))
        except HTTPError as error:
            print("NoSecretError" if error.code == HTTPStatus.NOT_FOUND else error)


def github(workflow: str) -> None:
    values = {
        "${{ vars.CUEVAULT_URL }}": os.environ["CUEVAULT_URL"],
        "${{ secrets.CUEVAULT_API_KEY }}": os.environ["CUEVAULT_API_KEY"],
    }
    for job in yaml.safe_load(Path(workflow).read_text())["jobs"].values():
        settings = {name: values[value] for name, value in job["env"].items()}
        for step in job["steps"]:
            if "cuevault run" in step.get("run", ""):
                start(["bash", "-e", "-c", step["run"]], settings)


if __name__ == "__main__":
    SYSTEMS = {
        "compose": compose,
        "kubernetes": kubernetes,
        "external-secrets": external_secrets,
        "github": github,
    }
    SYSTEMS[sys.argv[1]](*sys.argv[2:])
