// Package homepages has the home page, the search over all entries, the logs, the import of records, the templates
// for a service without models, the data that the service holds about a person, and the style guide.
package homepages
