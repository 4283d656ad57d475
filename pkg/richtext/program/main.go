// Command program makes HTML for the functions that show rich texts. They start it at the first
// request for HTML, so that their own programs stay small; see package richtext/process.
package main

import (
	"log"
	"os"

	"headless/pkg/richtext"
)

func main() {
	if err := richtext.Serve(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}
