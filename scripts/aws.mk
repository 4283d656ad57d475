# The AWS half: what runs the functions themselves. Included by the Makefile.

# BUILT_DIR names a folder of built functions, such as .aws-sam/build, to run in place of building them.
BUILT := $(if $(BUILT_DIR),-built $(BUILT_DIR))
# The variables of `make dev` hold here, too: PORT, ADMIN_EMAIL, ADMIN_PASSWORD, SEED and those of webhooks.
WEBHOOK_ALLOW_INSECURE ?= true
WEBHOOK_RETRY_SCHEDULE ?= 1s,1s,1s,1s,1m
LOCAL_PARAMS := -param WebhookAllowInsecure=$(WEBHOOK_ALLOW_INSECURE) -param WebhookRetrySchedule=$(WEBHOOK_RETRY_SCHEDULE)

.PHONY: aws
aws: ## The built functions on localhost:3000, on emulators of DynamoDB, S3, SQS and SES
	go run ./scripts/awslocal -start -edge -listen 127.0.0.1:$(or $(PORT),3000) $(LOCAL_PARAMS)

.PHONY: localstack
localstack: ## The stack on a LocalStack of its own, served on localhost:8080
	scripts/tools/sam.sh install
	scripts/tools/localstack.sh install
	go run ./scripts/localstack -start -listen 127.0.0.1:$(or $(PORT),8080) $(LOCAL_PARAMS)

.PHONY: test-aws
test-aws: ## Adapters and the end-to-end suite on the built functions and on emulators
	@mkdir -p .build
	go build -o .build/awslocal.bin ./scripts/awslocal
	.build/awslocal.bin -start -edge -listen 127.0.0.1:0 -log .build/test-aws.log -every 5s $(LOCAL_PARAMS) $(BUILT) -- scripts/ci/on-aws.sh

# Where `make scenario` runs a scenario.
SCENARIO := -count=1 -run 'TestEndToEnd/parallel/$(NAME)|TestEndToEnd/$(NAME)'
SCENARIO_ON_local := go test ./pkg/app $(SCENARIO)
SCENARIO_ON_aws := go run ./scripts/awslocal -start -edge -log .build/scenario.log $(LOCAL_PARAMS) -- go test ./scripts/e2e $(SCENARIO)
SCENARIO_ON_localstack := FUNCTION_LOG=$(CURDIR)/.build/scenario.log go run ./scripts/localstack -start $(LOCAL_PARAMS) -- go test ./scripts/e2e $(SCENARIO)

.PHONY: scenario
scenario: ## One scenario of the black-box suite (NAME=lists; ON=local, aws for the built functions, or localstack)
	@mkdir -p .build
	$(or $(SCENARIO_ON_$(or $(ON),local)),$(error ON is local, aws or localstack))

.PHONY: test-operations
test-operations: ## Which alarms ring at injected faults, and up- and downgrades over the format of the table; takes some minutes
	OPERATIONS=1 $(GO_TEST) -v -count=1 -timeout 40m -run 'TestAlarms|TestFormats' ./scripts/awslocal

.PHONY: test-costs
test-costs: ## Prints the rows of infra/COSTS.md as they are on the built functions, and compares a replayed day with the page
	OPERATIONS=1 $(GO_TEST) -v -count=1 -timeout 20m -run TestCosts ./scripts/awslocal

.PHONY: bench-reindex
bench-reindex: ## How the built sweeper builds the index of a model anew, over several calls (REINDEX_FLAGS="-reindexed 10000 -sweep 120s")
	OPERATIONS=1 $(GO_TEST) -v -count=1 -timeout 2h -run TestReindex ./scripts/awslocal $(REINDEX_FLAGS)

.PHONY: test-localstack
test-localstack: ## Deploy the package to LocalStack, end-to-end suite, build a changed version and deploy it over, delete
	scripts/tools/sam.sh install
	scripts/tools/localstack.sh install
	@mkdir -p .build
	go build -o .build/localstack.bin ./scripts/localstack
	FUNCTION_LOG=$(CURDIR)/.build/test-localstack.log .build/localstack.bin -start -package -upgrade -stack headless-first -listen 127.0.0.1:0 $(LOCAL_PARAMS) -- scripts/ci/on-localstack.sh

.PHONY: test-localstack-formats
test-localstack-formats: ## Up- and downgrades over the format of the table, with content, on LocalStack; takes some minutes
	scripts/tools/sam.sh install
	scripts/tools/localstack.sh install
	OPERATIONS=1 $(GO_TEST) -v -count=1 -timeout 40m -run TestFormats ./scripts/localstack

.PHONY: test-deployed
test-deployed: ## Smoke test, a small load and the end-to-end suite on a deployed stack (STACK=headless-dev, ADMIN_PASSWORD; SHORT=1 without the suite)
	scripts/tools/sam.sh install
	@go run ./scripts/deployed -stack '$(STACK)' -- scripts/ci/on-deployed.sh

.PHONY: bench-coldstart
bench-coldstart: ## Process start to first answer of each function, against a function that does nothing
	@mkdir -p .build
	@go build -o .build/awslocal.bin ./scripts/awslocal
	@go build -o .build/coldstart ./scripts/coldstart
	@.build/awslocal.bin -start -listen 127.0.0.1:0 -log .build/coldstart.log $(BUILT) -- .build/coldstart $(BUILT) $(COLDSTART_FLAGS)

.PHONY: lint-template
lint-template: .build/aws/template.yaml ## SAM's and CloudFormation's linters on all templates, and whether the CI role can deploy them
	scripts/tools/sam.sh install
	AWS_DEFAULT_REGION=us-east-1 scripts/tools/sam.sh run validate --lint
	.tools/sam/bin/cfn-lint --regions us-east-1 --template .build/aws/template.yaml
	.tools/sam/bin/cfn-lint --regions us-east-1 --template template.yaml infra/observability.yaml infra/ci-role.yaml infra/backup.yaml infra/key.yaml infra/waf.yaml infra/budget.yaml
	@mkdir -p .build
	go run ./scripts/adopt Table MediaBucket >.build/adopt.json
	.tools/sam/bin/cfn-lint --regions us-east-1 --ignore-checks W2001 W8001 --template .build/adopt.json
	go run ./scripts/canary >.build/canary.json
	.tools/sam/bin/cfn-lint --regions us-east-1 --template .build/canary.json
	AWS_DEFAULT_REGION=us-east-1 .tools/sam/bin/python scripts/ci/role_actions.py

# PACKAGE is the folder of `make package`; each has its own processor.
PACKAGE ?= .build/aws

$(PACKAGE)/template.yaml: template.yaml samconfig.toml infra/package.md
	@mkdir -p $(@D)
	sed '/^    Metadata:$$/{N;/BuildMethod: makefile/d;}' template.yaml >$@
	cp samconfig.toml $(@D)/
	cp infra/package.md $(@D)/README.md

.PHONY: package
package: $(PACKAGE)/template.yaml ## The template beside its built functions, which deploys without Go, in .build/aws (ARCH=arm64)
	@$(MAKE) --no-print-directory -C functions -f build.mk all ARCH=$(or $(ARCH),arm64) ARTIFACTS_DIR=$(abspath $(PACKAGE))/functions

.PHONY: sam-build
sam-build: ## Build the functions for AWS with SAM (ARCH=arm64 or x86_64)
	scripts/tools/sam.sh install
	AWS_DEFAULT_REGION=us-east-1 scripts/tools/sam.sh run build --parallel
	go run ./scripts/sbom >.aws-sam/build/sbom.cdx.json

.PHONY: check-sam-build
check-sam-build: build sam-build ## sam build and make build give the same bytes
	@for d in .aws-sam/build/*Function; do \
		f=$$(basename $$d Function | sed -E 's/([a-z])([A-Z])/\1-\2/g' | tr '[:upper:]' '[:lower:]'); \
		cmp $$d/bootstrap .build/functions/$$f/bootstrap || exit 1; \
	done; echo "sam build and make build agree"
