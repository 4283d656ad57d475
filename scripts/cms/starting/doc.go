// Package starting holds the command cms init, which writes a new site into an empty folder: a
// schema, content to begin with, and pages for Astro or Next.js that show it.
//
// The folders content, site and pages hold the templates, which are part of the program: the content of a template, the
// site in a framework, and the pages of a template in a framework.
package starting
