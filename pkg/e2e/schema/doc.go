// Package schema has the scenarios of schemas: the document, plans and changes.
package schema
