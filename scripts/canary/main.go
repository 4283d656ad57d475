// Command canary prints template.yaml with safe deployments. Each function gets the alias live.
// CodeDeploy moves it to a new version slowly, and back to the old one if an alarm rings. Versions
// are kept, so that scripts/ci/rollback.sh can roll back without a build.
//
//	go run ./scripts/canary >.build/canary.json
//
// It is separate from template.yaml, since a SAM parameter cannot turn an alias on.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	"headless/scripts/internal/program"
	"headless/scripts/internal/template"
)

func main() {
	program.Main("canary", func(context.Context) error { return run("template.yaml", os.Stdout) })
}

const (
	alias = "live"
	// pace sends a tenth of the requests to the new version for five minutes, then all.
	pace = "Canary10Percent5Minutes"
	// role is named like the roles of functions, so that CI may create it (infra/ci-role.yaml).
	role = "CanaryFunctionRole"
	// linesAlarm counts the errors that functions log, since Lambda does not count responses of 500
	// as failures. The API's own metric would cause a circular dependency, since it needs the
	// aliases.
	linesAlarm = "CanaryErrorLines"
	lines      = "ErrorLines"
)

type object = map[string]any

// namespace separates the metrics of one stack from those of others.
var namespace = object{"Fn::Sub": "HeadlessContentService/${AWS::StackName}"}

func run(path string, stdout io.Writer) error {
	t, err := template.Load(path)
	if err != nil {
		return err
	}
	resources, ok := t.Root["Resources"].(object)
	if !ok {
		return errors.New("the template has no resources")
	}
	functions := t.Resources("AWS::Serverless::Function")
	for _, f := range functions {
		own := f.ID + "CanaryErrors"
		resources[own] = alarm("A new version of "+f.ID+" fails", "AWS/Lambda", "Errors", 1, object{
			"FunctionName": object{"Ref": f.ID}, "Resource": object{"Fn::Sub": "${" + f.ID + "}:" + alias},
		})
		p := f.Properties()
		logging, _ := p["LoggingConfig"].(object)
		resources[f.ID+"CanaryLines"] = object{"Type": "AWS::Logs::MetricFilter", "Properties": object{
			"LogGroupName": logging["LogGroup"], "FilterPattern": `{ $.level = "ERROR" }`,
			"MetricTransformations": []any{object{"MetricNamespace": namespace, "MetricName": lines,
				"MetricValue": "1"}},
		}}
		p["AutoPublishAlias"], p["AutoPublishAliasAllProperties"] = alias, true
		p["DeploymentPreference"] = object{
			"Type": pace, "Role": object{"Fn::GetAtt": []any{role, "Arn"}},
			"Alarms": []any{object{"Ref": own}, object{"Ref": linesAlarm}},
		}
	}
	if err := moveImages(resources); err != nil {
		return err
	}
	resources[linesAlarm] = alarm("The functions log errors during a deployment", namespace, lines, 5, nil)
	resources[role] = deployRole()
	enc := json.NewEncoder(stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(t.Root)
}

// moveImages has CloudFront call the alias for variants of pictures, so that a new version gets them
// slowly too, and rollback.sh takes them back.
func moveImages(resources object) error {
	const function = "ImageFunction"
	seen := 0
	for _, v := range resources {
		r, _ := v.(object)
		p, _ := r["Properties"].(object)
		switch {
		case r["Type"] == "AWS::Lambda::Url":
			p["Qualifier"] = alias
			r["DependsOn"] = function + "Alias" + alias // as SAM names the alias
			seen++
		case r["Type"] == "AWS::Lambda::Permission":
			p["FunctionName"] = object{"Ref": function + ".Alias"}
			seen++
		}
	}
	if seen == 0 {
		return errors.New("the template has no URL of " + function)
	}
	return nil
}

// alarm returns an alarm that rings if a metric reaches the threshold within a minute.
func alarm(description string, namespace any, metric string, threshold int, dimensions object) object {
	list := []any{}
	for _, name := range []string{"FunctionName", "Resource"} {
		if value, ok := dimensions[name]; ok {
			list = append(list, object{"Name": name, "Value": value})
		}
	}
	return object{"Type": "AWS::CloudWatch::Alarm", "Properties": object{
		"AlarmDescription": description, "Namespace": namespace, "MetricName": metric,
		"Dimensions": list, "Statistic": "Sum", "Period": 60,
		"EvaluationPeriods": 1, "Threshold": threshold,
		"ComparisonOperator": "GreaterThanOrEqualToThreshold", "TreatMissingData": "notBreaching",
	}}
}

// deployRole returns the role of CodeDeploy: it may move the aliases of this stack and read its
// alarms.
func deployRole() object {
	arn := func(service, name string) object {
		return object{"Fn::Sub": "arn:${AWS::Partition}:" + service +
			":${AWS::Region}:${AWS::AccountId}:" + name + "${AWS::StackName}-*"}
	}
	allow := func(resource object, actions ...any) object {
		return object{"Effect": "Allow", "Action": actions, "Resource": resource}
	}
	return object{"Type": "AWS::IAM::Role", "Properties": object{
		"PermissionsBoundary": object{"Fn::If": []any{"HasBoundary",
			object{"Ref": "PermissionsBoundary"}, object{"Ref": "AWS::NoValue"}}},
		"AssumeRolePolicyDocument": object{"Version": "2012-10-17", "Statement": []any{
			object{"Effect": "Allow", "Principal": object{"Service": "codedeploy.amazonaws.com"},
				"Action": "sts:AssumeRole"},
		}},
		"Policies": []any{object{"PolicyName": "canary",
			"PolicyDocument": object{"Version": "2012-10-17", "Statement": []any{
				allow(arn("lambda", "function:"), "lambda:GetAlias", "lambda:UpdateAlias",
					"lambda:GetProvisionedConcurrencyConfig"),
				allow(arn("cloudwatch", "alarm:"), "cloudwatch:DescribeAlarms"),
			}}}},
	}}
}
