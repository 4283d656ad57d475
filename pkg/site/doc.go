// Package site keeps the configuration: models, locales, settings and the definitions of forms. All
// of it together is the Site, which every request needs and few requests change.
//
// Words:
//   - Site: the whole configuration at one version. It is immutable and cached in each process.
//   - model: the fields of a kind of entry, with the state of its index.
//   - generation: a version of a model's index. After a change of the model, the former one serves
//     until content.Reindex has built the next.
//
// What always holds:
//   - A request reads the version in the same round trip as its data, and uses the cached Site only
//     if the version is equal.
//   - A change of the configuration commits only if nothing else of it changed since it was read.
//   - The generation that serves is complete: a save writes to it by the definition that it was
//     made for.
//
// It may import input, index and db.
package site
