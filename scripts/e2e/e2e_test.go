// Package e2e runs the black-box suite on a service that is already running, such as one that scripts/awslocal or scripts/localstack
// serves. It is called by `make test-aws` and `make test-localstack` and needs:
//
//	E2E_BASE_URL             root address of the service; without it there is nothing to test
//	AWS_ENDPOINT_URL_SESV2   a moto that received the mail, or
//	MEDIA_BUCKET             the bucket whose folder mail/ holds it
//	TABLE_NAME               the table, for the first user
//	E2E_TARGET               awslocal or localstack
//	E2E_AFTER_UPGRADE        name of the new version, when one has been deployed since the last run
package e2e

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	suite "headless/pkg/e2e"
)

const (
	adminEmail    = "root@example.com"
	adminPassword = "a long enough password"
)

// TestMain makes the first user.
func TestMain(m *testing.M) {
	if os.Getenv("E2E_BASE_URL") == "" {
		os.Exit(0)
	}
	cmd := exec.Command("go", "run", "headless/scripts/adminuser", "-email", adminEmail)
	cmd.Env = append(os.Environ(), "ADMIN_PASSWORD="+adminPassword)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func TestEndToEnd(t *testing.T) {
	if afterUpgrade() {
		return // it has run before
	}
	onLocalStack := os.Getenv("E2E_TARGET") == "localstack" // behind a REST API
	wait := 30 * time.Second
	if onLocalStack {
		wait = 2 * time.Minute // its pollers are slow, the more so where there is little processor time
	}
	suite.Run(t, suite.Target{
		BaseURL: os.Getenv("E2E_BASE_URL"), AdminEmail: adminEmail, AdminPassword: adminPassword,
		Wait: wait, StandardMethods: onLocalStack, Mail: mail(context.Background(), t),
	})
}
