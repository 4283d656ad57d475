// Package health has the scenarios of what is wrong with published entries, and its repair.
package health
