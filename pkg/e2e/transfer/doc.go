// Package transfer has the scenarios of content that comes and goes as a file: CSV and imports.
package transfer
