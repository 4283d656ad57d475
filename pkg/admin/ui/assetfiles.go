//go:build !beside

package ui

import (
	"embed"
	"io/fs"
)

//go:embed assets
var embedded embed.FS

// AssetFiles are the style sheets, scripts and other files of the pages, which lie in assets.
var AssetFiles fs.FS = embedded
