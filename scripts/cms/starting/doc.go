// Package starting holds the command cms init, which writes a new site into an empty folder: a
// schema, content to begin with, and pages for Astro or Next.js that show it.
//
// Package starter has the content of the templates. The folders site and pages, which are part of the program too, hold
// the site in a framework, and the pages of a template in a framework.
package starting
