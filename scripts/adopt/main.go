// Command adopt prints template.yaml with only the named resources. CloudFormation can use it to
// create a stack around an existing table or bucket, such as a restored table. A deployment of the
// whole template then adds the rest (infra/README.md, Restore).
//
//	go run ./scripts/adopt Table MediaBucket
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"headless/scripts/internal/program"
	"headless/scripts/internal/template"
)

func main() {
	program.Main("adopt", func(context.Context) error { return run("template.yaml", os.Args[1:], os.Stdout) })
}

func run(path string, ids []string, stdout io.Writer) error {
	if len(ids) == 0 {
		return errors.New("name at least one resource, such as Table")
	}
	t, err := template.Load(path)
	if err != nil {
		return err
	}
	all, _ := t.Root["Resources"].(map[string]any)
	kept := map[string]any{}
	for _, id := range ids {
		r, ok := all[id].(map[string]any)
		if !ok {
			return fmt.Errorf("%s has no resource %s", path, id)
		}
		r["DeletionPolicy"] = "Retain"
		kept[id] = r
	}
	enc := json.NewEncoder(stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{
		"AWSTemplateFormatVersion": t.Root["AWSTemplateFormatVersion"],
		"Parameters":               t.Root["Parameters"], "Conditions": t.Root["Conditions"],
		"Resources": kept,
	})
}
