"""The catalogue of messages."""

from itertools import chain
from types import ModuleType

import pytest
from msgspec import Struct, inspect

from warroom_protocol import client_messages, messages, parts, server_messages
from warroom_protocol.messages import CLIENT_MESSAGES, PARTS, SERVER_MESSAGES

KINDS = [*CLIENT_MESSAGES.values(), *SERVER_MESSAGES.values()]


@pytest.mark.parametrize("kind", [*KINDS, *PARTS], ids=lambda kind: kind.__name__)
def test_messages_are_frozen_arrays_without_room_for_more(kind: type[Struct]) -> None:
    config = kind.__struct_config__
    assert (config.frozen, config.array_like, config.forbid_unknown_fields) == (True, True, True)
    assert kind.__doc__


@pytest.mark.parametrize("kind", CLIENT_MESSAGES.values(), ids=lambda kind: kind.__name__)
def test_the_first_field_of_every_request_but_act_is_its_ref(kind: type[Struct]) -> None:
    assert kind.__struct_fields__[0] == ("room" if kind.__name__ == "Act" else "ref")


def test_the_parts_are_all_the_nameless_arrays_inside_messages() -> None:
    found = set()

    def look(info: inspect.Type) -> None:
        match info:
            case inspect.StructType():
                found.update([info.cls] if info.tag is None else [])
                for field in info.fields:
                    look(field.type)
            case inspect.UnionType():
                list(map(look, info.types))
            case inspect.VarTupleType():
                look(info.item_type)
            case _:
                pass  # nothing that could hold an array of ours

    for kind in KINDS:
        look(inspect.type_info(kind))
    assert found == set(PARTS)


@pytest.mark.parametrize("module", [client_messages, parts, server_messages], ids=lambda module: module.__name__)
def test_every_message_and_part_can_be_imported_from_one_place(module: ModuleType) -> None:
    defined = {name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__}
    assert defined - {"Message"} <= set(messages.__all__)


def test_names_are_those_of_the_design() -> None:
    assert (len(CLIENT_MESSAGES), len(SERVER_MESSAGES)) == (26, 28)
    assert all(name.islower() and name.isalpha() for name in chain(CLIENT_MESSAGES, SERVER_MESSAGES))
