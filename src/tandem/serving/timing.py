"""The Server-Timing header: https://www.w3.org/TR/server-timing/. Durations are milliseconds."""

from tandem.serving.wire import Account


def server_timing(account: Account) -> str:
    """Route and the parts of the first token's time, as far as they are known when the head is sent."""
    parts = [f'route;desc="{account.route}"']
    reason = next((s.reason for s in account.sequences if s.reason), None)
    if reason:
        parts.append(f'reason;desc="{reason}"')
    if account.route == "remote" or any(s.prefill_seconds for s in account.sequences):
        parts.append(_duration("prefill", max(s.prefill_seconds for s in account.sequences)))
        parts.append(_duration("transfer", max(s.transfer_seconds for s in account.sequences)))
        parts.append(f'bytes;desc="{account.transfer_bytes}"')
    first = [s.first_token_seconds for s in account.sequences if s.first_token_seconds is not None]
    if first:
        parts.append(_duration("first", min(first)))
    return ", ".join(parts)


def _duration(name: str, seconds: float) -> str:
    return f"{name};dur={seconds * 1000:.1f}"
