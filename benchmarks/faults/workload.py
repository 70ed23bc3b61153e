"""What the clients ask: short and long prompts in turn, whole and streamed, greedy. The same list each time. Pure."""

from dataclasses import dataclass

MODEL = "tiny"

_SHORT = ("Hello", "What is the capital of France?", "Count to ten.", "Name three colours of the sea.")
_LONG = (
    "The sea is wide and the ships are many. ",
    "In the evening the keeper wrote down the wind and the water. ",
    "One boat from the southern harbour stayed out for three nights. ",
    "The lamp burned without a fault although the oil was poor. ",
)
# 200 to 800 tokens: over the routing threshold, and two to seven of the CPU's KV blocks of 128 tokens.
_REPEATS = (20, 30, 40, 50)
_SHORT_TOKENS, _LONG_TOKENS = 48, 24


@dataclass(frozen=True)
class Ask:
    """One question. `stream` does not change the answer's text, only how it comes."""

    prompt: str
    max_tokens: int
    stream: bool


def asks() -> list[Ask]:
    """Sixteen questions: eight prompts, short and long in turn, each of them streamed and whole."""
    short = [(prompt, _SHORT_TOKENS) for prompt in _SHORT]
    long = [(sentence * times, _LONG_TOKENS) for sentence, times in zip(_LONG, _REPEATS, strict=True)]
    prompts = [prompt for pair in zip(short, long, strict=True) for prompt in pair]
    return [Ask(prompt, tokens, stream) for stream in (False, True) for prompt, tokens in prompts]


def body(ask: Ask, salt: str) -> dict[str, object]:
    """The request. A salt of its own keeps the prompt out of every prefix cache, so each long one is transferred."""
    return {
        "model": MODEL,
        "prompt": ask.prompt,
        "max_tokens": ask.max_tokens,
        "temperature": 0,
        "stream": ask.stream,
        "cache_salt": salt,
    }
