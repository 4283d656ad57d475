// Package sam reads stacks with the SAM CLI of scripts/tools.
package sam

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
)

// Script runs the SAM CLI.
const Script = "scripts/tools/sam.sh"

// Outputs reads the outputs of a stack.
func Outputs(ctx context.Context, stack string, environment []string) (map[string]string, error) {
	cmd := exec.CommandContext(ctx, Script, "run", "list", "stack-outputs", "--stack-name", stack, "--output", "json")
	cmd.Env = environment
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("sam list stack-outputs: %w\n%s", err, stderr.Bytes())
	}
	var list []struct{ OutputKey, OutputValue string }
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("sam list stack-outputs: %w", err)
	}
	out := map[string]string{}
	for _, o := range list {
		out[o.OutputKey] = o.OutputValue
	}
	return out, nil
}
