// Package pages serves the guides of package docs: as pages with a search at /docs, which need no
// script, and as Markdown for programs at /docs/<name>.md, /llms.txt and /llms-full.txt
// (extensions §17). Everybody may read them; they hold nothing about the site.
package pages
