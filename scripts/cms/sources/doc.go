// Package sources holds what the importers of other systems have in common (extensions §10).
//
// A reader (packages markdown, wordpress, contentful and strapi) turns an export into a Site:
// models, entries and files. Ids are made from those of the source, so that a repeated import
// changes the same entries. Content without a counterpart in the service is left out and noted with
// the reason.
package sources
