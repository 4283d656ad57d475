// Package forms has the scenarios of forms and their submissions.
package forms
