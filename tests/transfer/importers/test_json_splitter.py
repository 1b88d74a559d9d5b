"""The splitter finds the same objects for all chunk sizes."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import BrokenFile
from recollect.transfer.importers.json_splitter import JsonSplitter

NASTY = st.text(st.sampled_from('"\\{}[],:\n\té天🌍\u2028 ab'), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | NASTY,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NASTY, inner, max_size=3),
    max_leaves=12,
)
OBJECTS = st.lists(st.dictionaries(NASTY, VALUES, max_size=4), max_size=5)


def split(data: bytes, cuts: list[int] | None = None, *, limit: int = 1 << 20) -> list[Any]:
    splitter = JsonSplitter(limit=limit)
    found = []
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts or ()), len(data)]
    for start, end in pairwise(edges):
        for element in splitter.feed(data[start:end]):
            found.append(None if element.text is None else json.loads(element.text))
    splitter.finish()
    return found


@given(
    objects=OBJECTS,
    cuts=st.lists(st.integers(min_value=0), max_size=12),
    is_list=st.booleans(),
    in_ascii=st.booleans(),
    indent=st.sampled_from([None, 1]),
    mark=st.sampled_from([b"", b"\xef\xbb\xbf"]),
)
def test_any_chunks_give_the_same_objects(
    objects: list[Any],
    cuts: list[int],
    is_list: bool,
    in_ascii: bool,
    indent: int | None,
    mark: bytes,
) -> None:
    if is_list:
        text = json.dumps(objects, ensure_ascii=in_ascii, indent=indent)
    else:
        objects = objects or [{}]
        text = "\n".join(json.dumps(one, ensure_ascii=in_ascii, indent=indent) for one in objects)
    data = mark + text.encode()
    assert split(data, cuts) == objects
    assert split(data + b" \r\n\t", cuts) == objects


@given(objects=OBJECTS.filter(bool), data=st.data())
def test_truncated_input_is_detected(objects: list[Any], data: st.DataObject) -> None:
    whole = json.dumps(objects).encode()
    end = data.draw(st.integers(min_value=0, max_value=len(whole) - 1))
    with pytest.raises(BrokenFile, match="cut off"):
        split(whole[:end])


@pytest.mark.parametrize(
    "text",
    ["", " ", "x", "1", '"a"', "[1]", "[,]", "[{},]", "[{}{}]", "[{}] {}", "[]]", "{},{}", "{}]"],
)
def test_input_without_objects_is_rejected(text: str) -> None:
    for cuts in ([], [1], [1, 2, 3]):
        with pytest.raises(BrokenFile):
            split(text.encode(), cuts)


def test_object_over_the_limit_is_skipped_without_buffering() -> None:
    small = {"a": 1}
    large = {"text": 'x\\"' * 100_000}
    data = json.dumps([small, large, small]).encode()
    assert split(data, [20, 70_000, 200_000], limit=1_000) == [small, None, small]
    splitter = JsonSplitter(limit=1_000)
    list(splitter.feed(data[:200_000]))
    assert sum(map(len, splitter._parts)) <= 1_000
