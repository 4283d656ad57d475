package template

import (
	"reflect"
	"testing"

	"headless/pkg/must"
)

const sample = `
Parameters:
  Stage: {Type: String, Default: dev}
  Size: {Type: Number, Default: 512}
Conditions:
  IsDev: !Equals [!Ref Stage, dev]
  IsProd: !And [!Not [!Condition IsDev], !Equals [a, a]]
  IsEither: !Or [!Condition IsProd, !Condition IsDev]
  IsSmall: !And [!Condition IsDev, !Equals [!Ref Size, 256]]
  IsBig: !And [!Condition IsDev, !Equals [!Ref Size, 1024]]
Globals:
  Function:
    MemorySize: !Ref Size
    Timeout: 29
    Environment:
      Variables: {TABLE: !Ref Table, A: global}
Resources:
  Table: {Type: AWS::DynamoDB::Table}
  WorkFunction:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: functions/work/
      Timeout: 60
      Environment:
        Variables:
          A: !If [IsEither, own, neither]
          SIZE: !If [IsBig, big, !If [IsSmall, small, middle]]
          QUEUE: !GetAtt Queue.Arn
          URL: !If [IsProd, !Ref Unknown, !Sub 'https://${Stage}.${Table}/${Queue.Arn}/${!kept}']
      Events:
        Hook: {Type: HttpApi, Properties: {Method: ANY, Path: '/x/{id}'}}
`

func TestFunctions(t *testing.T) {
	parsed, err := Parse([]byte(sample))
	must.Do(t, err)
	got, err := parsed.Functions(Scope{
		Parameters: map[string]string{"Size": "256"},
		Refs:       map[string]string{"Table": "tbl"},
		Attributes: map[string]string{"Queue.Arn": "arn:q"},
	})
	must.Do(t, err)
	want := []Function{{
		ID: "WorkFunction", CodeURI: "functions/work/", Timeout: 60, MemorySize: 256,
		Environment: map[string]string{"TABLE": "tbl", "A": "own", "QUEUE": "arn:q", "SIZE": "small",
			"URL": "https://dev.tbl/arn:q/${!kept}"},
		Events: []Event{{Name: "Hook", Type: "HttpApi",
			Properties: map[string]any{"Method": "ANY", "Path": "/x/{id}"}}},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestUnknownNamesAreErrors(t *testing.T) {
	parsed, err := Parse([]byte(sample))
	must.Do(t, err)
	for _, s := range []Scope{
		{},
		{Refs: map[string]string{"Table": "tbl"}},
		{Parameters: map[string]string{"Stage": "prod"}, Refs: map[string]string{"Table": "tbl"},
			Attributes: map[string]string{"Queue.Arn": "q"}},
	} {
		if got, err := parsed.Functions(s); err == nil {
			t.Errorf("no error in scope %+v: %+v", s, got)
		}
	}
}

func TestStored(t *testing.T) {
	parsed, err := Parse([]byte(`
Parameters: {Stack: {Type: String, Default: one}}
Resources:
  Name: {Type: AWS::SSM::Parameter, Properties: {Name: !Sub '/${Stack}/Table', Value: !Ref Table}}
`))
	must.Do(t, err)
	stored, err := parsed.Stored(Scope{Refs: map[string]string{"Table": "tbl"}})
	if err != nil || !reflect.DeepEqual(stored, map[string]string{"/one/Table": "tbl"}) {
		t.Fatalf("got %v, %v", stored, err)
	}
	for _, reference := range []any{map[string]any{"Fn::Sub": "{{resolve:ssm:/${Stack}/Table}}"},
		"{{resolve:ssm:/one/Table}}"} {
		if got, err := parsed.Eval(reference, Scope{Stored: stored}); err != nil || got != "tbl" {
			t.Errorf("got %v, %v", got, err)
		}
		if got, err := parsed.Eval(reference, Scope{Stored: map[string]string{}}); err == nil {
			t.Errorf("nothing stores it, and it is %v", got)
		}
	}
}
