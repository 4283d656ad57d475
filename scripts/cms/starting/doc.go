// Package starting holds the command cms init, which writes a new site into an empty folder: a
// schema, content to begin with, and pages for Astro or Next.js that show it.
//
// The folders content and site hold the templates, which are part of the program.
package starting
