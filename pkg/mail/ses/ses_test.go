package ses_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"headless/pkg/mail"
	"headless/pkg/mail/mailtest"
	"headless/pkg/mail/ses"
	"headless/pkg/must"
)

func client(endpoint string, attempts int) *sesv2.Client {
	return sesv2.New(sesv2.Options{
		Region:           "us-east-1",
		BaseEndpoint:     aws.String(endpoint),
		RetryMaxAttempts: attempts,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
		}),
	})
}

// TestConformance runs on the moto at SES_ENDPOINT, which shows the mails it was given.
func TestConformance(t *testing.T) {
	endpoint := os.Getenv("SES_ENDPOINT")
	if endpoint == "" {
		t.Skip("SES_ENDPOINT names no moto; the answers of SES are played by the other tests")
	}
	c := client(endpoint, 3)
	if _, err := c.CreateEmailIdentity(t.Context(),
		&sesv2.CreateEmailIdentityInput{EmailIdentity: aws.String("example.com")}); err != nil {
		t.Logf("CreateEmailIdentity: %v (it may exist)", err)
	}
	mailtest.Run(t, func(t *testing.T) mailtest.Harness {
		before := len(sent(t, endpoint))
		return mailtest.Harness{
			Sender: ses.New(c),
			Sent:   func(t *testing.T) [][]byte { return sent(t, endpoint)[before:] },
		}
	})
}

// sent asks moto for the mail that it holds.
func sent(t *testing.T, endpoint string) [][]byte {
	t.Helper()
	res, err := http.Get(endpoint + "/moto-api/data.json")
	must.Do(t, err)
	defer res.Body.Close()
	var data struct {
		SES struct {
			RawMessage []struct {
				RawData string `json:"raw_data"`
			}
		} `json:"ses"`
	}
	must.Do(t, json.NewDecoder(res.Body).Decode(&data))
	var out [][]byte
	for _, m := range data.SES.RawMessage {
		out = append(out, []byte(m.RawData))
	}
	return out
}

func TestErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		status        int
		kind, message string
		sent          bool
		permanent     bool
	}{
		"accepted": {status: 200, sent: true},
		"address refused": {status: 400, kind: "BadRequestException",
			message: "Local address contains control or whitespace", permanent: true},
		"content refused": {status: 400, kind: "MessageRejected",
			message: "The message contains a virus", permanent: true},
		"sender not ready": {status: 400, kind: "MessageRejected",
			message: "Email address is not verified."},
		"domain not ready":  {status: 400, kind: "MailFromDomainNotVerifiedException"},
		"account paused":    {status: 400, kind: "SendingPausedException"},
		"account suspended": {status: 400, kind: "AccountSuspendedException"},
		"too fast":          {status: 429, kind: "TooManyRequestsException"},
		"over the quota":    {status: 400, kind: "LimitExceededException"},
		"a bad key":         {status: 403, kind: "InvalidClientTokenId"},
		"broken":            {status: 500, kind: "InternalFailure"},
		"not SES at all":    {status: 502},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var in struct {
					FromEmailAddress string
					Destination      struct{ ToAddresses []string }
					Content          struct{ Raw struct{ Data []byte } }
				}
				if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
					t.Error(err)
				}
				if in.FromEmailAddress != "a@example.com" || len(in.Destination.ToAddresses) != 1 ||
					in.Destination.ToAddresses[0] != "b@xn--bcher-kva.example" ||
					len(in.Content.Raw.Data) == 0 {
					t.Errorf("request %+v", in)
				}
				w.Header().Set("X-Amzn-ErrorType", tc.kind)
				w.WriteHeader(tc.status)
				if err := json.NewEncoder(w).Encode(map[string]string{"message": tc.message, "MessageId": "1"}); err != nil {
					t.Error(err)
				}
			}))
			t.Cleanup(srv.Close)
			err := ses.New(client(srv.URL, 1)).Send(t.Context(), mail.Message{
				ID: "1", From: "Site <a@example.com>", To: "b@bücher.example", Subject: "s", Text: "t",
			})
			if (err == nil) != tc.sent || errors.Is(err, mail.ErrPermanent) != tc.permanent {
				t.Errorf("Send: %v", err)
			}
		})
	}
}

func TestAway(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	srv.Close()
	err := ses.New(client(srv.URL, 1)).Send(t.Context(),
		mail.Message{ID: "1", From: "a@example.com", To: "b@example.com"})
	if err == nil || errors.Is(err, mail.ErrPermanent) {
		t.Errorf("Send: %v, want an error worth a retry", err)
	}
}
