// Package site stores the configuration: models, locales, settings and the definitions of forms. A
// Site is all of it together. Every request needs it, and few requests change it.
//
// Words:
//   - Site: the whole configuration at one version. It is immutable and cached by each process.
//   - model: the fields of a kind of entry, with the state of its index.
//   - generation: a version of a model's index. After a change of the model, the former generation
//     serves queries until content.Reindex has built the next one.
//
// What always holds:
//   - A request reads the version in the same round trip as its data, and uses the cached Site only
//     if the version is equal.
//   - A change of the configuration commits only if no other part changed since it was read.
//   - The generation that serves queries is complete: saves write to it, by the definition that it
//     was built for.
package site
