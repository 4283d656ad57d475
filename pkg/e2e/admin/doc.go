// Package admin has the scenarios of the admin area: its routes, its pages, and the log of what users did.
package admin
