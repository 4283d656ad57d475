// Package e2e runs the black-box suite on a service that is already running, such as one that
// scripts/awslocal or scripts/localstack serves. It is called by `make test-aws` and `make
// test-localstack` and needs:
//
//	E2E_BASE_URL             root address of the service; without it there is nothing to test
//	AWS_ENDPOINT_URL_SESV2   the mailbox of awslocal, which kept the mail, or
//	MEDIA_BUCKET             the bucket whose folder mail/ holds it
//	TABLE_NAME               the table, for the first user
//	E2E_TARGET               awslocal, localstack, or deployed for a stack on an account
//	ADMIN_EMAIL, ADMIN_PASSWORD of the first user; if there is one, they sign in
//	E2E_MAIL                 eml, if the service writes its mail to the bucket (MailMode)
//	E2E_PART                 third: every third scenario only; rest: the others; all by default
//	E2E_LOAD                 how many requests TestLoad sends; none by default
//	E2E_AFTER_UPGRADE        name of the new version, when one has been deployed since the last run
package e2e

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	suite "headless/pkg/e2e"
	"headless/pkg/e2e/kit"
)

var (
	adminEmail    = cmp.Or(os.Getenv("ADMIN_EMAIL"), "root@example.com")
	adminPassword = cmp.Or(os.Getenv("ADMIN_PASSWORD"), "a long enough password")
	deployed      = os.Getenv("E2E_TARGET") == "deployed"
)

// TestMain makes the first user.
func TestMain(m *testing.M) {
	if os.Getenv("E2E_BASE_URL") == "" {
		os.Exit(0)
	}
	if deployed && os.Getenv("ADMIN_PASSWORD") == "" {
		fmt.Fprintln(os.Stderr,
			"ADMIN_PASSWORD is needed: the password of ADMIN_EMAIL, or the one that the first user gets")
		os.Exit(1)
	}
	if deployed && signsIn() {
		os.Exit(m.Run()) // the workflow that tests a stage may not have any right to its table
	}
	cmd := exec.Command("go", "run", "headless/scripts/cms", "users", "create", adminEmail)
	cmd.Env = append(os.Environ(), "ADMIN_PASSWORD="+adminPassword)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// signsIn reports whether the admin is there already.
func signsIn() bool {
	body, _ := json.Marshal(map[string]string{"email": adminEmail, "password": adminPassword}) // never fails
	resp, err := http.Post(os.Getenv("E2E_BASE_URL")+"/admin/login", "application/json",
		bytes.NewReader(body))
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func TestEndToEnd(t *testing.T) {
	if afterUpgrade() {
		return // it has run before
	}
	onLocalStack := os.Getenv("E2E_TARGET") == "localstack" // behind a REST API
	soon := 9 * time.Second
	if onLocalStack || deployed {
		soon = 16 * time.Second
	}
	part := kit.Part(os.Getenv("E2E_PART"))
	if !slices.Contains([]kit.Part{"", kit.OneThird, kit.TheRest}, part) {
		t.Fatalf("E2E_PART is %s", part)
	}
	suite.Run(t, kit.Target{
		BaseURL: os.Getenv("E2E_BASE_URL"), AdminEmail: adminEmail, AdminPassword: adminPassword,
		Soon: soon, StrictGateway: onLocalStack, BehindCDN: !onLocalStack, Remote: deployed, OneAddress: deployed,
		CountsViews: !onLocalStack && !deployed, // logs of CloudFront come within an hour
		Mail:        mail(context.Background(), t), Part: part,
	})
}
