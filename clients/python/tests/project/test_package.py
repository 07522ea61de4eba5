from __future__ import annotations

import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from support.cli import run

PROJECT = Path(__file__).parents[2]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]


def output_of(*command: str, cwd: Path = PROJECT) -> str:
    done = run(command, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("built")
    output_of(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder))
    return folder


def test_the_wheel_installs_into_an_empty_project_and_works(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Its requirements are asserted below: here they are those of this environment.
    monkeypatch.setenv("PYTHONPATH", str(Path(pytest.__file__).parents[1]))
    venv.create(tmp_path / "venv", with_pip=False)
    bin_folder = tmp_path / "venv" / "bin"
    (wheel,) = built.glob("*.whl")
    output_of(*PIP, "--python", str(bin_folder / "python"), "install", "--no-deps", str(wheel), cwd=tmp_path)
    show = "import cuevault as c; print(c.__version__, c.compile_template('{{a}}', {'a': 1}), c.__file__)"
    output = output_of(str(bin_folder / "python"), "-W", "error", "-c", show, cwd=tmp_path)
    assert output.startswith(f"0.1.0 1 {tmp_path}")
    assert output_of(str(bin_folder / "cuevault"), "--version", cwd=tmp_path) == "0.1.0\n"
    assert output_of(str(bin_folder / "python"), "-m", "cuevault", "--version", cwd=tmp_path) == "0.1.0\n"


def test_the_wheel_holds_the_package_and_says_that_it_is_typed(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "cuevault/py.typed" in names
    assert {name.split("/")[0] for name in names} == {"cuevault", "cuevault-0.1.0.dist-info"}
    metadata = zipfile.ZipFile(wheel).read("cuevault-0.1.0.dist-info/METADATA").decode()
    requires = [line for line in metadata.splitlines() if line.startswith("Requires-Dist")]
    assert requires == [
        "Requires-Dist: httpx<1,>=0.27",
        "Requires-Dist: cryptography>=42; extra == 'offline'",
        "Requires-Dist: opentelemetry-api>=1.20; extra == 'otel'",
    ]


def test_the_sdist_holds_what_a_build_needs_and_nothing_else(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.split("/")[1] for name in archive.getnames()}
    assert names == {
        "src",
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "pyproject.toml",
        "hatch_build.py",
        "PKG-INFO",
        ".gitignore",
    }


def test_the_licence_goes_with_both(built: Path) -> None:
    licence = (PROJECT.parents[1] / "LICENSE").read_bytes()
    (wheel,) = built.glob("*.whl")
    assert zipfile.ZipFile(wheel).read("cuevault-0.1.0.dist-info/licenses/LICENSE") == licence
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = archive.extractfile("cuevault-0.1.0/LICENSE")
        assert held is not None
        assert held.read() == licence


def test_the_changelog_knows_the_version() -> None:
    assert "\n## 0.1.0\n" in (PROJECT / "CHANGELOG.md").read_text("utf-8")
