// Command built refuses a build for another processor than that of the stack: Lambda takes such
// functions, and then each of them ends at its start.
//
//	go run ./scripts/built .aws-sam/build "LogLevel=debug Architecture=x86_64"
//
// The second argument is the list of parameters that the stack is deployed with.
package main

import (
	"context"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"headless/scripts/internal/program"
	"headless/scripts/internal/template"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: built FOLDER PARAMETERS")
		os.Exit(2)
	}
	program.Main("built", func(context.Context) error { return check("template.yaml", os.Args[1], os.Args[2]) })
}

// machines are the values of the parameter Architecture.
var machines = map[string]elf.Machine{"arm64": elf.EM_AARCH64, "x86_64": elf.EM_X86_64}

// check compares the functions in a folder with the architecture that the parameters choose.
func check(path, folder, parameters string) error {
	t, err := template.Load(path)
	if err != nil {
		return err
	}
	scope := template.Scope{Parameters: map[string]string{}}
	for pair := range strings.FieldsSeq(parameters) {
		if name, value, ok := strings.Cut(pair, "="); ok {
			scope.Parameters[name] = value
		}
	}
	v, err := t.Eval(map[string]any{"Ref": "Architecture"}, scope)
	if err != nil {
		return err
	}
	want, ok := machines[fmt.Sprint(v)]
	if !ok {
		return fmt.Errorf("the parameter Architecture is %v", v)
	}
	for _, f := range t.Resources("AWS::Serverless::Function") {
		program, err := elf.Open(filepath.Join(folder, f.ID, "bootstrap"))
		if err != nil {
			return err
		}
		machine := program.Machine
		program.Close()
		if machine != want {
			return fmt.Errorf("%s is built for %v, and the stack has Architecture=%v: build with ARCH=%v",
				f.ID, machine, v, v)
		}
	}
	return nil
}
