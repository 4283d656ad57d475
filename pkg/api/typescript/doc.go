// Package typescript writes the types of a site's models as one TypeScript file with a client
// (extensions §10).
//
// The file begins with the types that are the same for every site (base.ts). Then come the types of
// the models, and at the end the client (client.ts). The names of the types are those of the live
// OpenAPI document.
package typescript
