// Package contentful reads exports of Contentful: content types, entries in all locales, and
// assets.
//
// An entry becomes one entry for each locale in which it has localized values; these are a
// translation group. Rich text becomes Markdown.
package contentful
