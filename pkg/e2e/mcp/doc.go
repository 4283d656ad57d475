// Package mcp has the scenarios of agents that use the service through MCP.
package mcp
