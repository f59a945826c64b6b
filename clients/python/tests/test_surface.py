"""The client against the server's own description: no action, argument, route or field is missing or made up."""

from __future__ import annotations

import inspect
import itertools
import re
from typing import Any, get_args

import httpx
import pytest

import scratchbed
from scratchbed import _types

Schema = dict[str, Any]

# Types of ours that stand for a named type of the server with another name.
RENAMED = {"Selected": "Numbered", "AddedVariable": "Numbered2", "AddedBlock": "Numbered3", "Connected": "Numbered4"}
RENAMED |= {"Detached": "Numbered5", "FieldSet": "Numbered6", "Deleted": "Numbered7", "AddedScript": "Numbered8"}
RENAMED |= {"ExperimentStatus": "Status", "ExperimentOrder": "Order", "ExperimentCell": "Cell"}
LITERALS = {"Settle": "SettleReason", "Button": "ButtonName", "ExperimentLimit": "Limit"}


@pytest.fixture(scope="module")
def document(server: scratchbed.Server) -> Schema:
    found: Schema = httpx.get(f"{server.url}/openapi.json").json()
    return found


def resolve(document: Schema, schema: Schema) -> Schema:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: Schema = document["components"]["schemas"][name] if name else schema
    return found


def actions(document: Schema, mode: str) -> dict[str, Schema]:
    """The schemas of the arguments of a mode's actions."""
    prefix = f"/sessions/{{id}}/{mode}/"
    found = {}
    for path, operations in document["paths"].items():
        if path.startswith(prefix):
            schema = operations["post"]["requestBody"]["content"]["application/json"]["schema"]
            found[path.removeprefix(prefix)] = resolve(document, schema)
    return found


def camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


@pytest.mark.parametrize(("mode", "kind"), [("primitive", scratchbed.Primitive), ("composite", scratchbed.Composite)])
def test_every_action_is_a_method_with_the_same_arguments(document: Schema, mode: str, kind: type) -> None:
    methods = {name: member for name, member in inspect.getmembers(kind, inspect.isfunction) if name[0] != "_"}
    wanted = actions(document, mode)
    assert set(methods) == set(wanted)
    for name, schema in wanted.items():
        parameters = dict(inspect.signature(methods[name]).parameters)
        assert parameters.pop("self")
        assert parameters.pop("observation").default is None
        spell = camel if mode == "composite" else str
        assert {spell(one) for one in parameters} == set(schema.get("properties", {})), name
        required = {spell(one) for one, parameter in parameters.items() if parameter.default is parameter.empty}
        assert required == set(schema.get("required", [])), name


def test_every_typed_dict_promises_only_what_its_schema_does(document: Schema) -> None:
    schemas = document["components"]["schemas"]
    kinds = {name: kind for name, kind in vars(_types).items() if hasattr(kind, "__total__") and name[0] != "_"}
    assert len(kinds) > 30
    for name, kind in kinds.items():
        schema = schemas[RENAMED.get(name, name)]
        # The server may say more; it must not say less.
        assert set(kind.__annotations__) <= set(schema["properties"]), name
        assert kind.__required_keys__ <= set(schema.get("required", [])), name


def test_every_choice_is_the_servers(document: Schema) -> None:
    schemas = document["components"]["schemas"]
    checked = 0
    for name, kind in vars(_types).items():
        schema = schemas.get(LITERALS.get(name, name), {})
        if get_args(kind) and "oneOf" in schema:
            # Choices without a description of their own stand together.
            choices = [choice.get("enum", [choice.get("const")]) for choice in schema["oneOf"]]
            assert set(get_args(kind)) == set(itertools.chain(*choices)), name
            checked += 1
    assert checked >= 9


def test_an_observation_keeps_every_field(document: Schema) -> None:
    fields = set(scratchbed.Observation.__dataclass_fields__)
    # The file and its description have clearer names here.
    renamed = {"screenshot": "picture", "picture": "place"}
    wanted = {renamed.get(name, name) for name in document["components"]["schemas"]["Observation"]["properties"]}
    assert fields == wanted
