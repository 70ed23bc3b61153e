"""Models whose layers are partly recurrent (Mamba, linear attention): their cache is not only attention blocks.

vLLM serves them with the hybrid KV cache manager, and NixlConnector wants the DS layout of the convolution state:
https://github.com/vllm-project/vllm/issues/41869, https://github.com/vllm-project/vllm/issues/36687.
The families are those whose Hugging Face config lists recurrent `layer_types`, or a mixer of that kind.
"""

import re

_FAMILIES = re.compile(
    r"(qwen3[._]5|qwen3-next|jamba|bamba|zamba|granite-4\.0-h|nemotron-?h|nemotron-nano-(9b|12b)-v2|falcon-h1|"
    r"kimi-linear|minimax-text|lfm2|plamo-?2|olmo-hybrid)",
    re.IGNORECASE,
)


def is_hybrid(source: str) -> bool:
    """True when the name is of a hybrid family. A local folder says nothing by its name, so False is no proof."""
    return bool(_FAMILIES.search(source))
