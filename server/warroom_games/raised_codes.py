"""Finds the codes with which the source of a game refuses actions, without running it.

A code is the first argument of `IllegalActionError` or of a class derived from it, in a call or in `super().__init__`.
If that is a parameter of the function around it, the code is what other functions of the game pass for it. Codes that
are computed stay unknown.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from warroom_games.api import IllegalActionError

CODE: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")
"""The form of a code."""

_ERROR: Final = IllegalActionError.__name__
_PARAMETER: Final = "code"
"""The parameter of `IllegalActionError` that holds the code."""

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class RaisedCode(Struct, frozen=True):
    """A refusal code, and where the source raises or passes it."""

    code: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.code} (line {self.line} of {self.file})"


def raised_codes(files: Mapping[str, bytes]) -> tuple[RaisedCode, ...]:
    """Return each code in *files*, source by file name, with its first place; in the order of files and lines."""
    source = _Source(files)
    found: dict[str, RaisedCode] = {}
    for each in sorted(source.codes(), key=lambda raised: (raised.file, raised.line)):
        found.setdefault(each.code, each)
    return tuple(found.values())


class _Place(Struct, frozen=True):
    """An expression, the function around it (None: a module), and its file."""

    node: ast.expr
    function: _Function | None
    file: str


class _Call(Struct, frozen=True):
    """A call, and the function around it."""

    node: ast.Call
    function: _Function | None
    file: str


class _Source:
    """All modules of a game: their calls and constants."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._calls: dict[str, list[_Call]] = {}
        self._constants: dict[str, ast.expr] = {}
        self._raisers = {_ERROR}
        classes: list[ast.ClassDef] = []
        for file, text in files.items():
            try:
                tree = ast.parse(text)
            except SyntaxError:
                continue  # no module of the game, or it could not run
            classes += [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
            self._collect(tree, None, file)
        self._derive(classes)

    def codes(self) -> Iterator[RaisedCode]:
        """Yield every code that is raised somewhere."""
        for name in self._raisers:
            for call in (*self._calls.get(name, ()), *self._calls.get(_base_of(name), ())):
                argument = _argument(call.node, _PARAMETER, 0)
                if argument is None:
                    continue
                for found in self._texts(_Place(argument, call.function, call.file), frozenset()):
                    if name == _ERROR or CODE.fullmatch(found.code):  # a derived class may have other arguments
                        yield found

    def _collect(self, node: ast.AST, function: _Function | None, file: str, owner: str = "") -> None:
        """Note the calls and module constants below *node*, in the class *owner*."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Call) and (name := _name_of(child.func)) is not None:
                name = _base_of(owner) if ast.unparse(child.func) == "super().__init__" else name
                self._calls.setdefault(name, []).append(_Call(child, function, file))
            if isinstance(child, ast.Assign | ast.AnnAssign) and function is None and child.value is not None:
                targets = child.targets if isinstance(child, ast.Assign) else [child.target]
                self._constants.update({target.id: child.value for target in targets if isinstance(target, ast.Name)})
            inner = child if isinstance(child, _Function) else function
            self._collect(child, inner, file, child.name if isinstance(child, ast.ClassDef) else owner)

    def _derive(self, classes: list[ast.ClassDef]) -> None:
        """Add the classes that are derived from the error, and those derived from them."""
        before = 0
        while before != len(self._raisers):
            before = len(self._raisers)
            self._raisers |= {each.name for each in classes if {_name_of(base) for base in each.bases} & self._raisers}

    def _texts(self, place: _Place, followed: frozenset[tuple[str, str]]) -> Iterator[RaisedCode]:
        """Yield the texts that an expression may have; *followed* are the parameters on the way to it."""
        node, function = place.node, place.function
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield RaisedCode(node.value, place.file, node.lineno)
        elif isinstance(node, ast.IfExp):
            for branch in (node.body, node.orelse):
                yield from self._texts(_Place(branch, function, place.file), followed)
        elif (name := _name_of(node)) is None:
            return
        elif function is not None and (position := _position(function, name)) is not None:
            if (function.name, name) not in followed:
                yield from self._passed(function.name, name, position, followed | {(function.name, name)})
        elif name in self._constants:
            yield from self._texts(_Place(self._constants[name], None, place.file), followed)

    def _passed(
        self, function: str, parameter: str, position: int, followed: frozenset[tuple[str, str]]
    ) -> Iterator[RaisedCode]:
        """Yield what calls of a function pass for a parameter."""
        for call in self._calls.get(function, ()):
            argument = _argument(call.node, parameter, position)
            if argument is not None:
                yield from self._texts(_Place(argument, call.function, call.file), followed)


def _base_of(name: str) -> str:
    """Return the name under which the calls of `super().__init__` in a class are noted."""
    return f"super of {name}"


def _name_of(node: ast.expr) -> str | None:
    """Return the last name of `name` or `object.name`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def _argument(call: ast.Call, parameter: str, position: int) -> ast.expr | None:
    """Return what a call passes for a parameter."""
    named = next((keyword.value for keyword in call.keywords if keyword.arg == parameter), None)
    return named or (call.args[position] if position < len(call.args) else None)


def _position(function: _Function, name: str) -> int | None:
    """Return the position of a parameter among the arguments of a call; None if the function has no such parameter."""
    positional = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    if positional[:1] in (["self"], ["cls"]):
        positional = positional[1:]
    if name in positional:
        return positional.index(name)
    return len(positional) if name in {each.arg for each in function.args.kwonlyargs} else None
