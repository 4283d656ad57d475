// Package api has the scenarios of what all routes share: envelopes, limits, parameters, documents.
package api
