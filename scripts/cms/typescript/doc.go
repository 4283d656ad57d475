// Package typescript writes the types of a site's models as one TypeScript file with a client
// (extensions §10).
//
// The file begins with what every site shares (base.ts), goes on with types made of the models, and
// ends with the client (client.ts). The names of the types are those of the live OpenAPI document.
package typescript
