package db

import "headless/pkg/cms"

// Format numbers the layout of the table's rows. Raise it with every change after which this code
// can't read rows that were written before it.
const Format = 5

// RequireFormat returns an error unless the found format is the one that this code reads and
// writes. Rows without a mark have format 0.
func RequireFormat(found int) error {
	switch {
	case found == Format-1: // package site upgrades it
		return cms.Errorf(cms.CodeUnavailable,
			"The stored content is being upgraded from format %d to format %d. Try again in a few minutes.", found, Format)
	case found < Format:
		return cms.Errorf(cms.CodeUnavailable,
			"The stored content has format %d, from an older version of the service; this version reads format %d. "+
				"Export the content with the older version (cms export) and import it into an empty table or data folder.",
			found, Format)
	case found > Format:
		return cms.Errorf(cms.CodeUnavailable,
			"The stored content has format %d, from a newer version of the service; this version reads format %d. "+
				"Run the newer version again.", found, Format)
	}
	return nil
}
