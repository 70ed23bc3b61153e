"""All cases, and the request fields that no case can stand for."""

from collections.abc import Mapping, Sequence

from tandem.bench.conform.case import Case
from tandem.bench.conform.embeddings import EMBEDDINGS_CASES
from tandem.bench.conform.endpoints import ENDPOINTS
from tandem.bench.conform.identity import IDENTITY
from tandem.bench.conform.logprobs import LOGPROBS
from tandem.bench.conform.messages import MESSAGES
from tandem.bench.conform.prompts import PROMPTS
from tandem.bench.conform.responses import RESPONSES_CASES
from tandem.bench.conform.samples import SAMPLES
from tandem.bench.conform.sampling import SAMPLING
from tandem.bench.conform.stopping import STOPPING
from tandem.bench.conform.streaming import STREAMING
from tandem.bench.conform.structured import STRUCTURED
from tandem.bench.conform.tokenizing import TOKENIZING
from tandem.bench.conform.tools import TOOLS

CASES: Sequence[Case] = (
    *ENDPOINTS,
    *SAMPLING,
    *STOPPING,
    *LOGPROBS,
    *STRUCTURED,
    *TOOLS,
    *PROMPTS,
    *MESSAGES,
    *SAMPLES,
    *STREAMING,
    *IDENTITY,
    *TOKENIZING,
    *RESPONSES_CASES,
    *EMBEDDINGS_CASES,
)

EXEMPT: Mapping[tuple[str, str], str] = {}
"""(endpoint, field) → why no request of ours can show that it agrees."""


def unclassified(endpoint: str, fields: Sequence[str]) -> list[str]:
    """Fields of an endpoint that neither a case stands for nor an exemption explains."""
    covered = {(case.endpoint, field) for case in CASES for field in case.fields} | EXEMPT.keys()
    return [field for field in fields if (endpoint, field) not in covered]
