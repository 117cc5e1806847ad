"""What messages, parts and their fields mean: the texts of the classes, for documents and schemas."""

import ast
import inspect
import sys
from collections.abc import Mapping
from functools import cache

import msgspec
from msgspec import Struct
from msgspec import inspect as types


def described(kind: type[Struct]) -> str:
    """Return the docstring of a message or part, with `*field*` as code."""
    words = inspect.getdoc(kind) or ""
    for field in kind.__struct_fields__:
        words = words.replace(f"*{field}*", f"`{field}`")
    return words


def meaning(kind: type[Struct], field: msgspec.structs.FieldInfo) -> str:
    """Return the text under a field, or the description of its type."""
    if (written := field_texts(kind).get(field.name)) is not None:
        return written
    kind_info = types.type_info(field.type)
    while isinstance(kind_info, types.Metadata):
        if "description" in (kind_info.extra_json_schema or {}):
            return str(kind_info.extra_json_schema["description"])  # type: ignore[index]
        kind_info = kind_info.type
    raise ValueError(f"{kind.__name__}.{field.name} has no text, and its type has no description")


@cache
def field_texts(kind: type[Struct]) -> Mapping[str, str]:
    """Return the texts that stand under the fields of a class in its source."""
    found = _classes(kind.__module__)[kind.__name__]
    texts = {}
    for declared, text in zip(found.body, found.body[1:], strict=False):
        if isinstance(declared, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(declared.target, ast.Name):
            assert isinstance(text.value, ast.Constant), "a text"
            texts[declared.target.id] = " ".join(str(text.value.value).split())
    return texts


@cache
def _classes(module: str) -> Mapping[str, ast.ClassDef]:
    """Return the classes of a module as its source has them."""
    source = ast.parse(inspect.getsource(sys.modules[module]))
    return {each.name: each for each in source.body if isinstance(each, ast.ClassDef)}
