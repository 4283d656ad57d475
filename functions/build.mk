# Built by `sam build`, which calls `make build-<LogicalId>` in the folder of a function with ARTIFACTS_DIR set.
# ARCH is arm64 (the default) or x86_64, like the template's parameter Architecture.
ARCH ?= arm64
GOARCH := $(if $(filter x86_64 amd64,$(ARCH)),amd64,arm64)

# SERVICE_VERSION, such as a tag or a commit, is shown in answers and log lines; none by default.
STAMP := $(if $(SERVICE_VERSION),-X headless/pkg/web.version=$(SERVICE_VERSION))

# The tag of the files of the admin area is taken here, so that a cold start need not read all of them.
ADMIN := $(dir $(lastword $(MAKEFILE_LIST)))../pkg/admin
ASSETS := $(sort $(wildcard $(ADMIN)/ui/assets/* $(ADMIN)/say/lang/*))
STAMP += -X headless/pkg/admin/ui.builtTag=$(firstword $(shell cat $(ASSETS) | cksum))

# lambda.norpc leaves out the runtime that provided.al2023 does not use, nethttpomithttp2 what none of the AWS services here
# speaks (and a receiver of webhooks never requires); no paths, no build id and no symbols, so that the same sources give the
# same bytes on every machine. Functions are aligned to 2 bytes rather than 32, and functions are only inlined in packages that
# compute much: the others mostly wait for the network. That saves 230 KB and a twentieth of the program to load at a cold start.
# Cryptography is not among these, since most of it is assembly: a TLS handshake takes 0.1 ms more, and others of its uses no more.
INLINED := runtime/... $(addprefix internal/,runtime/... abi bytealg byteorder cpu goarch race strconv sync) \
	sync/... unicode/... strings strconv cmp sort slices math math/bits \
	reflect encoding/json encoding/binary compress/... image/... \
	$(addprefix golang.org/x/,crypto/... image/... text/unicode/... text/collate text/internal/colltab) \
	$(addprefix github.com/,bbrks/... clipperhouse/... HugoSmits86/... tetratelabs/...) \
	$(addprefix headless/pkg/,assets/picture/... assets/webp/... collation/... fulltext/analysis fulltext/segment index)
BUILD := CGO_ENABLED=0 GOOS=linux GOARCH=$(GOARCH) go build -trimpath -buildvcs=false -tags lambda.norpc,nethttpomithttp2,nodynamic,beside \
	-gcflags all=-l $(foreach package,$(INLINED),-gcflags '$(package)=') \
	-ldflags '-s -w -buildid= -funcalign=2 $(STAMP)'

# Functions that show rich texts have the program that makes their HTML beside their own (see package richtext/process).
SHOW_TEXTS := admin content delivery mcp
RICHTEXT := headless/pkg/richtext/program
# The admin area has its files, its languages, its OpenAPI document and the guides beside its program (the tag "beside"), which starts
# faster without them.
# So have mails their languages.
beside = cp -R $(ADMIN)/ui/assets $(ADMIN)/say/lang $(ADMIN)/../api/openapi/admin.json $(1)/ && mkdir -p $(1)/docs && cp $(ADMIN)/../docs/*.md $(1)/docs/

build-%:
	$(BUILD) -o $(ARTIFACTS_DIR)/bootstrap .
	$(if $(filter $(SHOW_TEXTS),$(notdir $(CURDIR))),$(BUILD) -o $(ARTIFACTS_DIR)/richtext $(RICHTEXT))
	$(if $(filter admin,$(notdir $(CURDIR))),$(call beside,$(ARTIFACTS_DIR)))
	$(if $(filter mail-worker,$(notdir $(CURDIR))),cp -R $(ADMIN)/say/lang $(ARTIFACTS_DIR)/)

# all builds every function with one command, which takes less time, to ARTIFACTS_DIR/<folder>/bootstrap. It is called in this folder.
.PHONY: all
all:
	@mkdir -p $(ARTIFACTS_DIR)/all
	$(BUILD) -o $(ARTIFACTS_DIR)/all/ ./...
	@for f in $(notdir $(patsubst %/,%,$(dir $(wildcard */main.go)))); do \
		mkdir -p $(ARTIFACTS_DIR)/$$f && mv $(ARTIFACTS_DIR)/all/$$f $(ARTIFACTS_DIR)/$$f/bootstrap || exit 1; \
	done
	@rmdir $(ARTIFACTS_DIR)/all
	$(foreach f,$(SHOW_TEXTS),$(BUILD) -o $(ARTIFACTS_DIR)/$(f)/richtext $(RICHTEXT) &&) true
	@$(call beside,$(ARTIFACTS_DIR)/admin)
	@cp -R $(ADMIN)/say/lang $(ARTIFACTS_DIR)/mail-worker/
