"""Errors that the ingress answers itself, in OpenAI's shape: https://platform.openai.com/docs/guides/error-codes."""

from starlette.responses import JSONResponse


class BadRequest(Exception):
    """The client's request cannot be served as it is."""

    def __init__(self, message: str, *, param: str | None = None) -> None:
        super().__init__(message)
        self.param = param


def error_response(status: int, message: str, kind: str, *, param: str | None = None) -> JSONResponse:
    """One short sentence, nothing internal."""
    error = {"message": message, "type": kind, "param": param, "code": status}
    return JSONResponse({"error": error}, status_code=status)
