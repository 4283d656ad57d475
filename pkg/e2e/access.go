package e2e

import "slices"

// accessScenarios are about who gets in and what they may do (extensions §11).
func accessScenarios() []scenario {
	return slices.Concat(reachScenarios, roleScenarios, rightsScenarios, shownScenarios, accountScenarios, auditScenarios)
}
