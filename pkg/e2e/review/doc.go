// Package review has the scenarios of reviews, comments and tasks.
package review
