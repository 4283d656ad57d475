// Package api answers the requests of the REST API under /api/v1: entries, drafts, lists, search,
// files, forms, settings and locales.
//
// Each file has the handlers of one subject and their route table. A handler reads the parameters,
// calls the use cases, and returns an answer. Package pipeline has the steps that all requests
// share; package openapi has the documents.
package api
