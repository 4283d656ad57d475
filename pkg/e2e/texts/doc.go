// Package texts has the scenarios of rich texts: references, HTML, blocks, and relations that are kept with them.
package texts
