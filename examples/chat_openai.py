"""Streams one chat answer with the openai client, and shows how it was served.

pip install openai
python examples/chat_openai.py --route remote "What is the capital of France?"
"""

import argparse

from openai import OpenAI


def main() -> None:
    """Prints the answer as it comes, then the service's Server-Timing header."""
    options = _options()
    client = OpenAI(base_url=options.url, api_key="none")  # the service asks for no key
    model = options.model or client.models.list().data[0].id
    response = client.chat.completions.with_raw_response.create(
        model=model,
        messages=[{"role": "user", "content": options.question}],
        max_tokens=options.max_tokens,
        stream=True,
        extra_headers={"X-Tandem-Route": options.route} if options.route else {},
    )
    for chunk in response.parse():
        if chunk.choices:
            print(chunk.choices[0].delta.content or "", end="", flush=True)
    print(f"\n\nServer-Timing: {response.headers.get('server-timing', 'none')}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("question", nargs="?", default="What is the capital of France?")
    parser.add_argument("--url", default="http://127.0.0.1:8000/v1", help="OpenAI base URL (default: %(default)s)")
    parser.add_argument("--model", help="default: the first that the endpoint lists")
    parser.add_argument("--route", choices=["remote", "local"], help="force where the prompt is prefilled")
    parser.add_argument("--max-tokens", type=int, default=256)
    return parser.parse_args()


if __name__ == "__main__":
    main()
