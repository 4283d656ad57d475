// Package recovery restores what belongs to a table beside the running stack: the files as they
// were at a time, the secrets, and a check that all of it fits together (scripts/ci/restore.sh).
package recovery
