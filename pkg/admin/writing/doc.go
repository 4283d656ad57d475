// Package writing serves the Markdown editor: its script, and links to entries by search.
package writing
