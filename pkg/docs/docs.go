// Package docs has the guides for people who use the service: editors, site developers and
// operators. README.md is their index. Pages for people who change the code stand beside the code.
package docs

import _ "embed"

// Editors is the guide for editors in Markdown. The admin area renders it at /admin/help.
//
//go:embed editors.md
var Editors string
