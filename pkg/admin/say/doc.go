// Package say holds the words of the admin area in each of its languages. Messages are written in
// English where they stand: in templates, in Go as constants of the type Text, and in scripts as
// arguments of t. A file in lang for each other language translates all of them; a test compares
// them with the sources.
package say
