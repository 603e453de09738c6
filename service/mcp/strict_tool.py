"""A tool that refuses unknown arguments, with a sentence that names the argument."""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from typing import Any

import msgspec
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, TextContent
from pydantic import ValidationError


class StrictTool(Tool):
    """A tool of the SDK, which would otherwise ignore unknown arguments."""

    @classmethod
    def of(cls, function: Callable[..., Any], name: str) -> StrictTool:
        """Make a tool of a function."""
        tool = cls.from_function(function, name)
        assert isinstance(tool, cls)
        model = tool.fn_metadata.arg_model
        model.model_config["extra"] = "forbid"
        model.model_rebuild(force=True)
        tool.parameters = model.model_json_schema(by_alias=True)
        return tool

    async def run(self, *given: Any, **named: Any) -> Any:
        """Run the tool. Raises `ToolError`."""
        try:
            return _compact(await super().run(*given, **named))
        except UnexpectedToolError:
            raise
        except ToolError as error:
            if isinstance(wrong := error.__cause__, ValidationError):
                raise ToolError(self._explain(wrong)) from wrong
            raise

    def _explain(self, wrong: ValidationError) -> str:
        """Name the first wrong argument and the values that it accepts."""
        first = wrong.errors()[0]
        name, value = str(first["loc"][0]), reprlib.repr(first["input"])
        arguments = self.parameters["properties"]
        if first["type"] == "extra_forbidden":
            known = ", ".join(arguments) or "none"
            return f"{name} is not a valid argument of {self.name}; use {known}"
        if first["type"] == "value_error":
            return str(first["ctx"]["error"])
        meaning = arguments[name]["description"]
        if first["type"] == "missing":
            return f"{self.name} needs the argument {name}: {meaning}"
        _, _, right = first["msg"].partition(" should ")
        must = f"it must {right}: " if right else ""
        return f"{value} is not a valid {name}; {must}{meaning}"


def _compact(answer: Any) -> Any:
    """Write the text of an answer as JSON without the indentation of the SDK."""
    if isinstance(answer, CallToolResult) and answer.structured_content is not None:
        text = msgspec.json.encode(answer.structured_content).decode()
        return answer.model_copy(update={"content": [TextContent(type="text", text=text)]})
    return answer
