package template

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Function is a serverless function with the global settings applied and all values resolved.
type Function struct {
	ID          string
	CodeURI     string
	Timeout     int // seconds
	MemorySize  int // MB
	Environment map[string]string
	Events      []Event
}

// Event is a trigger of a function.
type Event struct {
	Name       string
	Type       string // HttpApi, SQS, DynamoDB, Schedule
	Properties map[string]any
}

// Functions returns the functions, in the order of their ids.
func (t *Template) Functions(s Scope) ([]Function, error) {
	global := asMap(asMap(t.Root["Globals"])["Function"])
	var out []Function
	for _, r := range t.Resources("AWS::Serverless::Function") {
		f, err := t.function(r, global, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, err)
		}
		out = append(out, f)
	}
	return out, nil
}

// Variables returns the names of a function's environment variables, including the global ones.
func (t *Template) Variables(r Resource) []string {
	names := map[string]bool{}
	for _, level := range []map[string]any{asMap(asMap(t.Root["Globals"])["Function"]), r.Properties()} {
		for name := range asMap(asMap(level["Environment"])["Variables"]) {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func (t *Template) function(r Resource, global map[string]any, s Scope) (Function, error) {
	own := r.Properties()
	f := Function{ID: r.ID, Environment: map[string]string{}}
	setting := func(name string) (any, error) {
		if v, ok := own[name]; ok {
			return t.Eval(v, s)
		}
		return t.Eval(global[name], s)
	}
	for name, into := range map[string]*int{"Timeout": &f.Timeout, "MemorySize": &f.MemorySize} {
		v, err := setting(name)
		if err != nil {
			return f, err
		}
		if _, err := fmt.Sscan(fmt.Sprint(v), into); err != nil {
			return f, fmt.Errorf("%s is %v", name, v)
		}
	}
	f.CodeURI = fmt.Sprint(own["CodeUri"])
	for _, level := range []map[string]any{global, own} {
		for name, v := range asMap(asMap(level["Environment"])["Variables"]) {
			value, err := t.Eval(v, s)
			if err != nil {
				return f, fmt.Errorf("variable %s: %w", name, err)
			}
			f.Environment[name] = fmt.Sprint(value)
		}
	}
	for name, v := range asMap(own["Events"]) {
		event := asMap(v)
		properties, err := t.Eval(event["Properties"], s)
		if err != nil {
			return f, fmt.Errorf("event %s: %w", name, err)
		}
		f.Events = append(f.Events, Event{Name: name, Type: fmt.Sprint(event["Type"]), Properties: asMap(properties)})
	}
	slices.SortFunc(f.Events, func(a, b Event) int { return strings.Compare(a.Name, b.Name) })
	return f, nil
}
