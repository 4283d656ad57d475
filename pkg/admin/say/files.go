//go:build !beside

package say

import (
	"embed"
	"io/fs"
)

//go:embed lang
var embedded embed.FS

// Files are the catalogues, which lie in lang.
var Files fs.FS = embedded
