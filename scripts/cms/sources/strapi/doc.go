// Package strapi reads exports of Strapi 4 and 5: content types, components, dynamic zones,
// relations, locales and files.
//
// An export is a tar file with schemas, entities, links and the bytes of files. A document has an
// entity for each locale, and in Strapi 5 one more for what is published; the published one is
// taken, else the draft. Relations stand in the links, not in the entities.
package strapi
