"""A server of the Model Context Protocol (MCP): tools with which programs play and read matches."""
