# Built by `sam build`, which calls `make build-<LogicalId>` in the folder of a function with ARTIFACTS_DIR set.
# ARCH is arm64 (the default) or x86_64, like the template's parameter Architecture.
ARCH ?= arm64
GOARCH := $(if $(filter x86_64 amd64,$(ARCH)),amd64,arm64)

# SERVICE_VERSION, such as a tag or a commit, is shown in answers and log lines; none by default.
STAMP := $(if $(SERVICE_VERSION),-X headless/pkg/app/function.version=$(SERVICE_VERSION))

# lambda.norpc leaves out the runtime that provided.al2023 does not use, nethttpomithttp2 what none of the AWS services here
# speaks (and a receiver of webhooks never requires); no paths, no build id and no symbols, so that the same sources give the
# same bytes on every machine.
build-%:
	CGO_ENABLED=0 GOOS=linux GOARCH=$(GOARCH) go build -trimpath -buildvcs=false -tags lambda.norpc,nethttpomithttp2 -ldflags '-s -w -buildid= $(STAMP)' \
		-o $(ARTIFACTS_DIR)/bootstrap .
