//go:build beside

package ui

import "headless/pkg/admin/say"

// AssetFiles has the folder assets, which lies beside the program like the catalogues.
var AssetFiles = say.Files
