// Package content has the scenarios of entries: fields, slugs, statuses, drafts, revisions, trash, duplicates.
package content
