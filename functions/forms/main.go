// Command forms is the function that shows the schemas of forms and takes submissions.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/forms"
)

func main() { function.Main(forms.Start) }
