// Package sources holds what the importers of other systems have in common (extensions §10).
//
// A reader (packages markdown, wordpress, contentful and strapi) turns an export into a Site:
// models, entries and files. Ids are made from those of the source, so that a repeated import
// changes the same entries. What has no counterpart is left out and noted with its reason.
package sources
