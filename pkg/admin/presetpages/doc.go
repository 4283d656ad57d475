// Package presetpages lets blocks and new entries begin with saved values (see package presets): it adds buttons to
// the forms of entries and of blocks in texts, and has the pages where presets are renamed and deleted.
package presetpages
