// Package schema is cms schema: models, locales, settings and forms as code.
//
// A plan says what applying a document would change, and how risky that is. Apply carries out a
// plan, whole or not at all. Drift is what was changed by other means since the last apply.
package schema
