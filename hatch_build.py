"""Builds the optional C module into the source tree, for wheels and for editable installations alike.

Without a compiler, or if it fails, the package is pure Python: slower, otherwise the same.
"""

import os
import shlex
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = "protocol/warroom_protocol/speedups.c"


class SpeedupsHook(BuildHookInterface[BuilderConfig]):
    """Compile the module and put it into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make it a wheel of this platform if the module can be built here."""
        source = Path(self.root, SOURCE)
        module = source.with_suffix(sysconfig.get_config_var("EXT_SUFFIX"))
        if failure := compile_module(source, module):
            module.unlink(missing_ok=True)  # one of an older source is worse than none
            self.app.display_warning(f"speedups.c was not compiled, so Warroom runs without it, more slowly: {failure}")
            return
        build_data["artifacts"].append(f"/{module.relative_to(self.root).as_posix()}")
        build_data["infer_tag"] = True
        build_data["pure_python"] = False


def compile_module(source: Path, module: Path) -> str:
    """Compile as this Python was; return what went wrong, in one line."""
    linker = shlex.split(sysconfig.get_config_var("LDSHARED") or "")  # the compiler, and how it links a module
    if not linker:
        return "this Python does not say how"
    if chosen := os.environ.get("CC"):
        linker = [*shlex.split(chosen), *linker[1:]]
    flags = shlex.split(f"{sysconfig.get_config_var('CFLAGS')} {sysconfig.get_config_var('CCSHARED')}")
    # A running server may have the old module mapped, so it is replaced and not written over.
    unfinished = module.with_name(f"{module.name}.{os.getpid()}")
    command = [*linker, *flags, f"-I{sysconfig.get_path('include')}", str(source), "-o", str(unfinished)]
    try:
        compiler = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        return str(error)
    if compiler.returncode != 0:
        unfinished.unlink(missing_ok=True)
        return next(iter(compiler.stderr.splitlines()), f"{linker[0]} failed")
    unfinished.replace(module)
    return ""
