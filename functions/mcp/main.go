// Command mcp is the function that serves agents, and makes and revokes preview links.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/mcp"
)

func main() { function.Main(mcp.Start) }
