"""Compares what the execution role of infra/ci-role.yaml allows with what CloudFormation's own schemas (those of cfn-lint) say that it
needs to create, read, update and delete each type of resource in the service's stack and in infra/observability.yaml.

It looks at actions, not at the resources that they are allowed on. Runs in the virtual environment of the SAM CLI.
"""

import sys
from fnmatch import fnmatch

from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER
from samcli.yamlhelper import parse_yaml_file
from samtranslator.translator.transform import transform

# What the schemas name for properties that the templates do not use, and one action that is withheld.
UNUSED = [
    "ec2:*",
    "elasticfilesystem:*",
    "firehose:*",
    "kinesis:*",
    "kms:*",
    "s3files:*",
    "s3tables:*",
    "cloudfront:*ConnectionGroup",
    "cloudfront:GetVpcOrigin",
    "cloudfront:UpdateDistributionWithStagingConfig",
    "iam:*GroupPolicy",
    "iam:*UserPolicy",
    "iam:DeleteRolePermissionsBoundary",  # would end the boundary
]


class NoPolicies:
    """SAM asks for AWS's managed policies by name; the template names none."""

    def load(self):
        return {}


def resources():
    service = parse_yaml_file("template.yaml")
    for resource in service["Resources"].values():
        if "CodeUri" in resource.get("Properties", {}):
            resource["Properties"]["CodeUri"] = "s3://bucket/key"  # as after `sam package`
    yield from transform(service, {}, NoPolicies())["Resources"].values()
    yield from parse_yaml_file("infra/observability.yaml")["Resources"].values()


def needed():
    actions = set()
    for kind in {resource["Type"] for resource in resources()}:
        handlers = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", kind).schema["handlers"]
        for step in ("create", "read", "update", "delete"):
            actions.update(handlers.get(step, {}).get("permissions", []))
    return actions


def allowed():
    role = parse_yaml_file("infra/ci-role.yaml")["Resources"]["ExecutionRole"]["Properties"]
    for policy in role["Policies"]:
        for statement in policy["PolicyDocument"]["Statement"]:
            actions = statement["Action"]
            yield from [actions] if isinstance(actions, str) else actions


def covers(patterns, action):
    return any(fnmatch(action.lower(), pattern.lower()) for pattern in patterns)


def main():
    patterns = [*allowed(), *UNUSED]
    actions = needed()
    if not actions:
        sys.exit("no schema names an action")
    missing = sorted(action for action in actions if not covers(patterns, action))
    if missing:
        sys.exit("infra/ci-role.yaml: the execution role lacks " + ", ".join(missing))
    print(f"infra/ci-role.yaml: the execution role has all of {len(actions)} actions")


main()
