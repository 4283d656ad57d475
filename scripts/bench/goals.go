package main

// Names of rows that have goals and are not named elsewhere.
const (
	updateText         = "update the text"
	behindText         = "behind a text edit"
	behindDrafts       = "behind 32 drafts, each"
	behindPublications = "behind 32 publications, each"
	coldSearch         = ", first of a process"
	previewOfRelease   = "preview of a release of 50, list of 20"
)

// costGoals holds what rows of the table of costs should reach: round trips / read units / write
// units.
var costGoals = map[string]string{
	"get by id":                    "1 / 4 / 0.1",
	"get by slug":                  "1 / 4 / 0.1",
	"default list of 20":           "2 / 5 to 15 / 0.1",
	"one filter, refused":          "/ 1 / 0",
	"q, rare word":                 "2 / 15 /",
	"q, common word":               "2 / 15 /",
	"q with a filter":              "2 / 15 /",
	"q, three words":               "2 / 15 /",
	"q, rare word" + coldSearch:    "6 / 40 /",
	"q, common word" + coldSearch:  "6 / 50 /",
	"q with a filter" + coldSearch: "6 / 60 /",
	"q, three words" + coldSearch:  "6 / 60 /",

	"create a draft":   "/ / 40",
	"publish":          "/ / 60",
	"update one field": "/ / 25",

	"resolve an entry, 300 models":        "3 / 40 /",
	"resolve a redirect, 300 models":      "3 / 40 /",
	"resolve an unknown path, 300 models": "3 / 40 /",

	// Three trips and 500 read units more than without a preview (extensions §15).
	"preview of the site, by id":      "4 / 504 /",
	"preview of the site, list of 20": "5 / 515 /",
	previewOfRelease:                  "5 / 515 /",

	"findings, counts by kind, 300 models": "/ 10 /",
	"findings, page of 25, 300 models":     "the same at all sizes",

	behindText:         "the same at all sizes",
	behindDrafts:       "/ / 10",
	behindPublications: "/ / 10",
}

// Requests a second that several clients should get on the embedded server, and kilobytes of disk
// that an entry with a body of 2.4 KB should take.
const (
	goalGet    = 30_000
	goalList   = 10_000
	goalSorted = 6_000
	goalSearch = 5_000
	goalCommon = 1_500
	goalCreate = 3_000
	goalDisk   = 7
)

// rateGoals holds the goals of the rows of the table of times.
var rateGoals = map[string]int{
	"get by id":                goalGet,
	"get by slug":              goalGet,
	"default list of 20":       goalList,
	"one filter, another sort": goalSorted,
	"q, rare word":             goalSearch,
	"q, common word":           goalCommon,
}
