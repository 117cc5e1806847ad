"""A certificate for tests, made by the openssl command."""

import subprocess
from pathlib import Path


def make_certificate(folder: Path, name: str = "broker") -> tuple[Path, Path]:
    """Make a certificate for 127.0.0.1 that vouches for itself; return it and its key."""
    certificate, key = folder / f"{name}.crt", folder / f"{name}.key"
    kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    whose = ["-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1"]
    where = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(["openssl", "req", *kind, *whose, *where], check=True, capture_output=True)
    return certificate, key
