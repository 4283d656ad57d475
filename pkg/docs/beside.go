//go:build beside

package docs

import "headless/pkg/beside"

// Files are the guides in Markdown, which lie in the folder docs beside the program.
var Files = beside.Files("docs")
