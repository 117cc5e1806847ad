"""Refusal codes are found in the source of a game, wherever it names them."""

from textwrap import dedent

import pytest

from warroom_games.raised_codes import RaisedCode, raised_codes


def codes(**modules: str) -> list[str]:
    files = {f"{name}.py": dedent(text).encode() for name, text in modules.items()}
    return [raised.code for raised in raised_codes(files)]


def test_a_code_comes_with_the_first_place_that_raises_it() -> None:
    text = b'\n\nraise IllegalActionError("a.b", "no")\nraise IllegalActionError("a.b", "never")\n'
    (raised,) = raised_codes({"rules.py": text})
    assert raised == RaisedCode("a.b", "rules.py", 3)
    assert str(raised) == "a.b (line 3 of rules.py)"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param('raise IllegalActionError(code="a.b", detail="no")', ["a.b"], id="by keyword"),
        pytest.param('raise api.IllegalActionError("a.b", "no")', ["a.b"], id="of a module"),
        pytest.param('raise IllegalActionError("a.b" if late else "a.c", "no")', ["a.b", "a.c"], id="one of two"),
        pytest.param('LATE = "a.b"\nraise IllegalActionError(LATE, "no")', ["a.b"], id="a constant"),
        pytest.param('LATE: Final = "a.b"\nraise IllegalActionError(LATE, "no")', ["a.b"], id="a typed constant"),
        pytest.param('LATE: str\nraise IllegalActionError(LATE, "no")', [], id="no value"),
        pytest.param('raise IllegalActionError(f"a.{why}", "no")', [], id="computed"),
        pytest.param('raise IllegalActionError(CODES["late"], "no")', [], id="looked up"),
        pytest.param("raise IllegalActionError(unknown, 'no')", [], id="unknown"),
        pytest.param("raise IllegalActionError()", [], id="nothing"),
        pytest.param('raise OptionsError("a.b")\n(lambda: None)()', [], id="another error"),
    ],
)
def test_the_first_argument_of_the_error_is_a_code(source: str, expected: list[str]) -> None:
    assert codes(rules=source) == expected


def test_a_code_that_functions_pass_on_is_found_where_it_is_named() -> None:
    assert codes(
        refusals="""
            class Checks:
                def own(self, cell, code):
                    refuse(cell, code=code)

                @classmethod
                async def foreign(cls, cell, /, why="x", *, code):
                    raise IllegalActionError(code, "no")

            def refuse(cell, code):
                if cell:
                    return refuse(cell - 1, code)
                raise IllegalActionError(code, "no")
        """,
        rules="""
            def check(self, state):
                self.checks.own(state.cell, "cell.own")
                self.checks.own(state.cell)
                self.checks.foreign(state.cell, code="cell.foreign")
                refuse(state.cell, "cell.taken")
        """,
    ) == ["cell.own", "cell.foreign", "cell.taken"]


def test_a_file_that_is_not_python_is_skipped() -> None:
    assert codes(template="class {name}:", rules='raise IllegalActionError("a.b", "no")') == ["a.b"]


def test_derived_errors_raise_codes_too_and_their_other_arguments_are_none() -> None:
    assert codes(
        errors="""
            class TooPoor(Short):
                def __init__(self, price):
                    super().__init__("gold.short", f"it costs {price}")

            class Short(IllegalActionError):
                pass

            class Other(ValueError):
                def __init__(self):
                    super().__init__("not.ours", "no")
        """,
        rules="""
            raise TooPoor("ten")
            raise Short("wood.short", "no")
        """,
    ) == ["gold.short", "wood.short"]
