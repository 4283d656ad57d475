// Package formpages has the pages of forms and the inbox of submissions.
package formpages
