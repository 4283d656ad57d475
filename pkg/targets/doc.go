// Package targets starts builds of static sites, and knows whether what was published is live
// (extensions §16).
//
// Words:
//   - target: a site at a provider that builds it when its build address is called.
//   - build: one run of the provider for a target, with the states that the provider reports.
//   - receipt: one step of a publication: the entry was published, the caches were purged, or a build
//     changed its state.
//
// What always holds:
//   - The build address and the secret of a target are sealed, and never shown.
//   - The state of a build is believed only with the signature that its provider makes.
//   - The call is made by a timer after the commit, once; after a crash it may be repeated.
package targets
