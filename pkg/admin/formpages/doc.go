// Package formpages has the pages of forms and the inbox of what visitors submitted.
package formpages
