"""Embeddings, for models that have them: https://platform.openai.com/docs/api-reference/embeddings."""

from typing import Any

from tandem.bench.conform.case import EMBEDDINGS, MODEL, PROMPT, Case

_TEXT: dict[str, Any] = {"model": MODEL, "input": PROMPT}
_TALK: dict[str, Any] = {"model": MODEL, "messages": [{"role": "user", "content": PROMPT}]}
_BEGUN = [*_TALK["messages"], {"role": "assistant", "content": "It is"}]


def _text(*fields: str, **sent: Any) -> Case:
    return Case(endpoint=EMBEDDINGS, fields=fields, sent=sent, base=_TEXT)


def _talk(*fields: str, **sent: Any) -> Case:
    return Case(endpoint=EMBEDDINGS, fields=fields, sent=sent, base=_TALK, form="messages")


def _each(field: str, *values: Any, **also: Any) -> list[Case]:
    return [_text(field, **{**also, field: value}) for value in values]


def _each_talk(field: str, *values: Any, **also: Any) -> list[Case]:
    return [_talk(field, **{**also, field: value}) for value in values]


EMBEDDINGS_CASES: list[Case] = [
    *_each("input", "The sea", ["The sea", "The land", PROMPT], [300, 301], [[300, 301], [302]], PROMPT),
    *_each("input", "", [], [""], 5, None, [99999999], [-1], "far too long " * 40_000),
    *_each("input", [{"role": "user", "content": "The sea"}]),
    Case(endpoint=EMBEDDINGS, fields=("input",), base=_TEXT, absent=("input",)),
    *_each_talk("messages", [*_BEGUN], [_BEGUN, _TALK["messages"]], [], [{}], "hello"),
    *_each("model", "no-such-model", None, 5),
    *_each("encoding_format", "float", "base64", "bytes", "text"),
    *_each("embed_dtype", "float32", "float16", "float8", encoding_format="base64"),
    *_each("endianness", "native", "little", "big", "middle", encoding_format="base64"),
    *_each("dimensions", None, 8, 0, -1, 100_000),
    *_each("use_activation", True, False, None, "x"),
    *_each("padding", "do_not_pad", "max_length", None, "some"),
    *_each("truncate_prompt_tokens", 5, -1, None, -2, 100_000_000),
    *_each("truncation_side", "left", "right", "middle", truncate_prompt_tokens=5),
    *_each("add_special_tokens", True, False, "x"),
    *_each("priority", 0, 5, 2**63),
    *_each("request_id", "my-request-1", 5),
    *_each("user", "user-1", 5),
    *_each("cache_salt", "keeper-11-f00d", ""),
    *_each("mm_processor_kwargs", {"num_crops": 2}, "crops"),
    *_each_talk("add_generation_prompt", True, False),
    *_each_talk("continue_final_message", True, False, messages=_BEGUN),
    *_each_talk("chat_template", "{{ messages[0]['content'] }}", None),
    *_each_talk("chat_template_kwargs", {"style": "dry"}, "dry"),
    *_each_talk("media_io_kwargs", {"video": {}}, "video"),
    _text(nonsense=1),
    _text(),
]
