// Package locales has the scenarios of translations: groups, fallback, shared fields, XLIFF.
package locales
