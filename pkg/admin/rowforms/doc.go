// Package rowforms reads forms whose fields are rows: the fields of models and of forms.
package rowforms
