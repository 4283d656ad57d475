//go:build beside

package say

import "headless/pkg/beside"

// Files are the folders beside the program: lang has the catalogues.
var Files = beside.Files(".")
