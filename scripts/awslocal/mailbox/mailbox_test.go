package mailbox_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"

	"headless/pkg/must"
	"headless/scripts/awslocal/mailbox"
)

// TestMailbox sends a mail that the emulator accepts, and one that it refuses.
func TestMailbox(t *testing.T) {
	code := http.StatusOK
	ses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		w.Write([]byte(`{"MessageId": "1"}`))
	}))
	defer ses.Close()
	m, err := mailbox.New(ses.URL)
	must.Do(t, err)
	server := httptest.NewServer(m)
	defer server.Close()
	client := sesv2.New(sesv2.Options{
		Region: "us-east-1", BaseEndpoint: &server.URL, RetryMaxAttempts: 1,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
		}),
	})
	send := func(text string) error {
		_, err := client.SendEmail(t.Context(), &sesv2.SendEmailInput{
			Content: &types.EmailContent{Raw: &types.RawMessage{Data: []byte(text)}},
		})
		return err
	}
	must.Do(t, send("accepted"))
	code = http.StatusBadRequest
	if err := send("refused"); err == nil {
		t.Error("a refused mail gave no error")
	}
	resp, err := http.Get(server.URL + mailbox.Path)
	must.Do(t, err)
	defer resp.Body.Close()
	var mails [][]byte
	if err := json.NewDecoder(resp.Body).Decode(&mails); err != nil || len(mails) != 1 || string(mails[0]) != "accepted" {
		t.Errorf("the mailbox holds %q, error %v", mails, err)
	}
}
