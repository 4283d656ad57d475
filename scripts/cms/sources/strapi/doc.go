// Package strapi reads exports of Strapi 4 and 5: content types, components, dynamic zones,
// relations, locales and files.
//
// An export is a tar file with schemas, entities, links and the bytes of files. A document has an
// entity for each locale, and in Strapi 5 another one for its published version. The published
// entity is imported, or else the draft. Relations are in the links, not in the entities.
package strapi
