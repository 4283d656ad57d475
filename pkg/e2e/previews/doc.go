// Package previews has the scenarios of previews, of an entry and of the whole site.
package previews
