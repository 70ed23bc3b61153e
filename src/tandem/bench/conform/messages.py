"""The forms of a conversation, and how the chat template is asked."""

from typing import Any

from tandem.bench.conform.case import CHAT, CHAT_BASE, PROMPT, Case, chat, each_of

_ASK = {"role": "user", "content": PROMPT}
_BEGUN = [_ASK, {"role": "assistant", "content": "It is this:"}]
_CONTINUED: dict[str, Any] = {"continue_final_message": True, "add_generation_prompt": False}
_PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}

_MESSAGES: list[Case] = [
    chat("messages", messages=[{"role": "system", "content": "Be brief."}, _ASK]),
    chat("messages", messages=[*_BEGUN, {"role": "user", "content": "Go on."}]),
    chat("messages", messages=[{"role": "user", "content": [{"type": "text", "text": PROMPT}]}]),
    chat("messages", messages=[{**_ASK, "name": "keeper"}]),
    chat("messages", messages=[{"role": "developer", "content": "Be brief."}, _ASK]),
    chat("messages", messages=[{"role": "user", "content": ""}]),
    chat("messages", messages=[{"role": "user", "content": [{"type": "text", "text": "What is this?"}, _PICTURE]}]),
    *each_of(chat, "messages", [[], "hello", [{}], [{"role": "user"}], [{"content": "a"}], None]),
    chat("messages", messages=[{"role": "user", "content": 5}]),
    chat("messages", messages=[{"role": "user", "content": "far too long " * 40_000}]),
    Case(endpoint=CHAT, fields=("messages",), base=CHAT_BASE, absent=("messages",)),
    *each_of(chat, "echo", [True, False]),
    chat("echo", "continue_final_message", messages=_BEGUN, echo=True, **_CONTINUED),
    chat("echo", "stream", messages=_BEGUN, echo=True, stream=True, **_CONTINUED),
    chat("continue_final_message", "add_generation_prompt", messages=_BEGUN, **_CONTINUED),
    chat("continue_final_message", messages=_BEGUN, continue_final_message=True),
    chat("continue_final_message", "add_generation_prompt", continue_final_message=True, add_generation_prompt=True),
    *each_of(chat, "add_generation_prompt", [True, False]),
]

_TEMPLATE: list[Case] = [
    *each_of(chat, "chat_template", ["{{ messages[0]['content'] }}", "{% broken", None]),
    *each_of(chat, "chat_template_kwargs", [{"style": "dry"}, {}, None, "dry"]),
    chat("chat_template_kwargs", chat_template_kwargs={"chat_template": "{{ 1 }}"}),
    chat("chat_template_kwargs", chat_template_kwargs={"add_generation_prompt": False}),
    *each_of(chat, "documents", [[{"title": "Log", "text": "The wind was west."}], [], None, [{"title": 5}]]),
    *each_of(chat, "reasoning_effort", ["none", "low", "high", None, "some"]),
    *each_of(chat, "include_reasoning", [True, False]),
    *each_of(chat, "return_prompt_text", [True, False]),
    chat("return_prompt_text", "stream", return_prompt_text=True, stream=True),
    *each_of(chat, "return_assistant_tokens_mask", [True, False]),
    *each_of(chat, "media_io_kwargs", [{"video": {"num_frames": 2}}, {}, None, "video"]),
    *each_of(chat, "mm_processor_kwargs", [{"num_crops": 2}, {}, None, "crops"]),
]

MESSAGES = [*_MESSAGES, *_TEMPLATE]
