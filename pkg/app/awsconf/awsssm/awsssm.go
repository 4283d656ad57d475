// Package awsssm stores the secrets of a stack in parameters of AWS Systems Manager: the keys that
// seal stored secrets, and what the stack shares with other services. KMS encrypts a SecureString,
// so only functions that may read it can see its value.
//
// It makes the three requests itself: the SDK's client would add a megabyte to functions, which
// every cold start loads.
package awsssm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"headless/pkg/app/awsconf"
)

const (
	timeout   = 5 * time.Second // of one request
	tries     = 3
	maxAnswer = 64 << 10
)

// Parameter is one parameter of a stack. One with keys implements seal.Keeper.
type Parameter struct {
	aws         aws.Config
	endpoint    string
	name        string
	kmsKey      string
	kind        string
	description string
}

// New returns the parameter with the keys that seal secrets, encrypted with a KMS key ("" for the
// one that AWS manages). It makes no request.
func New(cfg aws.Config, getenv func(string) string, name, kmsKey string) *Parameter {
	p := newParameter(cfg, getenv, name, secure,
		"Keys that seal the secrets of the content service. Without them its secrets are lost.")
	p.kmsKey = kmsKey
	return p
}

// NewSecret returns another encrypted parameter. It makes no request.
func NewSecret(cfg aws.Config, getenv func(string) string, name, kmsKey, description string) *Parameter {
	p := newParameter(cfg, getenv, name, secure, description)
	p.kmsKey = kmsKey
	return p
}

// NewPlain returns a parameter without encryption, the only kind that a template can refer to. It
// makes no request.
func NewPlain(cfg aws.Config, getenv func(string) string, name, description string) *Parameter {
	return newParameter(cfg, getenv, name, "String", description)
}

// secure is the type of an encrypted parameter.
const secure = "SecureString"

func newParameter(cfg aws.Config, getenv func(string) string, name, kind, description string) *Parameter {
	endpoint := "https://ssm." + cfg.Region + ".amazonaws.com"
	if strings.HasPrefix(cfg.Region, "cn-") {
		endpoint += ".cn"
	}
	if other := awsconf.Endpoint(getenv, "SSM"); other != nil {
		endpoint = *other
	}
	return &Parameter{aws: cfg, endpoint: endpoint, name: name, kind: kind, description: description}
}

// failure is the error in a response.
type failure struct {
	status int
	kind   string
}

func (f failure) Error() string { return fmt.Sprintf("awsssm: %d %s", f.status, f.kind) }

func isKind(err error, kind string) bool {
	var f failure
	return errors.As(err, &f) && f.kind == kind
}

// Read returns the value, "" if there is no parameter yet.
func (p *Parameter) Read() (string, error) {
	var out struct{ Parameter struct{ Value string } }
	err := p.call("GetParameter", map[string]any{"Name": p.name, "WithDecryption": true}, &out)
	if isKind(err, "ParameterNotFound") {
		return "", nil
	}
	return strings.TrimSpace(out.Parameter.Value) + "\n", err
}

// Version returns the number of the newest version, 0 if there is no parameter yet.
func (p *Parameter) Version() (int64, error) {
	var out struct{ Parameter struct{ Version int64 } }
	err := p.call("GetParameter", map[string]any{"Name": p.name}, &out)
	if isKind(err, "ParameterNotFound") {
		return 0, nil
	}
	return out.Parameter.Version, err
}

// Create creates the parameter. It does not change an existing one.
func (p *Parameter) Create(text string) error {
	if err := p.putValue(text, false); !isKind(err, "ParameterAlreadyExists") {
		return err
	}
	return nil
}

// Replace sets the value of the parameter, encrypted with the current KMS key.
func (p *Parameter) Replace(text string) error { return p.putValue(text, true) }

func (p *Parameter) putValue(text string, overwrite bool) error {
	in := map[string]any{
		"Name": p.name, "Type": p.kind, "Value": strings.TrimSpace(text), "Overwrite": overwrite,
		"Description": p.description,
	}
	if p.kmsKey != "" {
		in["KeyId"] = p.kmsKey
	}
	return p.call("PutParameter", in, &struct{}{})
}

// call makes a request, and retries it if the service is busy or unreachable.
func (p *Parameter) call(action string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		err = p.attempt(action, body, out)
		var f failure
		if err == nil || try == tries || errors.As(err, &f) && f.status < 500 &&
			f.kind != "ThrottlingException" {
			return err
		}
		time.Sleep(50 * time.Millisecond << try)
	}
}

func (p *Parameter) attempt(action string, body []byte, out any) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.endpoint+"/", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.1")
	r.Header.Set("X-Amz-Target", "AmazonSSM."+action)
	credentials, err := p.aws.Credentials.Retrieve(ctx)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:])
	err = v4.NewSigner().SignHTTP(ctx, credentials, r, hash, "ssm", p.aws.Region, time.Now())
	if err != nil {
		return err
	}
	answer, err := p.aws.HTTPClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		var e struct {
			Type string `json:"__type"`
		}
		_ = json.Unmarshal(raw, &e)
		return failure{answer.StatusCode, e.Type[strings.LastIndexByte(e.Type, '#')+1:]}
	}
	return json.Unmarshal(raw, out)
}
