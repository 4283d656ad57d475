// Package spam holds the checks of public form submissions: reCAPTCHA, blocked addresses and
// disposable domains.
package spam

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// RecaptchaURL is Google's address for the verification of tokens.
const RecaptchaURL = "https://www.google.com/recaptcha/api/siteverify"

const (
	recaptchaTimeout = 4 * time.Second // decisions §6
	maxAnswer        = 64 * 1024       // bytes
	maxToken         = 16 * 1024       // bytes; tokens have some 2 KiB
)

// Verdict is what reCAPTCHA says about a token.
type Verdict int

// The verdicts.
const (
	Unknown Verdict = iota // could not be checked
	Pass
	Fail // wrong, expired, used before, or below the minimum score
)

// Verifier asks a reCAPTCHA service. The zero value asks Google.
type Verifier struct {
	URL     string        // "" is RecaptchaURL
	Client  *http.Client  // nil is http.DefaultClient; redirects are never followed
	Timeout time.Duration // for the whole exchange; 0 is 4 s
}

// Verify asks for the verdict on a visitor's token. remoteIP may be "". With minScore (reCAPTCHA
// v3) the score must reach it; an answer without a score then counts as Unknown. A missing token
// fails without asking. The error says why a verdict is Unknown, without secret or token; it is nil
// otherwise.
func (v Verifier) Verify(ctx context.Context, secret, token, remoteIP string,
	minScore *float64) (Verdict, error) {
	if strings.TrimSpace(token) == "" || len(token) > maxToken {
		return Fail, nil
	}
	timeout := v.Timeout
	if timeout == 0 {
		timeout = recaptchaTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	form := url.Values{"secret": {secret}, "response": {token}}
	if remoteIP != "" {
		form.Set("remoteip", remoteIP)
	}
	a, err := v.ask(ctx, form)
	if err != nil {
		return Unknown, err
	}
	return a.verdict(minScore)
}

// ask posts the form and reads the answer.
func (v Verifier) ask(ctx context.Context, form url.Values) (answer, error) {
	address := v.URL
	if address == "" {
		address = RecaptchaURL
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := http.Client{}
	if v.Client != nil {
		client = *v.Client
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res, err := client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return answer{}, fmt.Errorf("recaptcha: status %d", res.StatusCode)
	}
	var a answer
	if err := json.NewDecoder(io.LimitReader(res.Body, maxAnswer)).Decode(&a); err != nil {
		return answer{}, fmt.Errorf("recaptcha: %w", err)
	}
	return a, nil
}

// answer is what the service says.
type answer struct {
	Success *bool    `json:"success"`
	Score   *float64 `json:"score"` // v3 only
	Errors  []string `json:"error-codes"`
}

// verdict tells what the answer says about the token itself. An error that is about our secret or
// request, or that is not known, says nothing about the visitor.
func (a answer) verdict(minScore *float64) (Verdict, error) {
	switch {
	case a.Success == nil:
		return Unknown, fmt.Errorf("recaptcha: answer without success")
	case !*a.Success:
		for _, code := range a.Errors {
			switch code {
			case "invalid-input-response", "missing-input-response", "timeout-or-duplicate":
			default:
				return Unknown, fmt.Errorf("recaptcha: error code %.64q", code)
			}
		}
		return Fail, nil
	case minScore == nil:
		return Pass, nil
	case a.Score == nil:
		return Unknown, fmt.Errorf("recaptcha: answer without score; are the keys for v3?")
	case *a.Score < *minScore:
		return Fail, nil
	}
	return Pass, nil
}
