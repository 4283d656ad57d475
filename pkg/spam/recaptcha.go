// Package spam holds the checks of public form submissions: reCAPTCHA, blocked addresses and
// disposable domains.
package spam

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// RecaptchaURL is Google's URL for the verification of tokens.
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

// Verify asks the service for its verdict on a visitor's token. remoteIP may be "". A nil minScore
// accepts any score. Otherwise (reCAPTCHA v3) the score must be at least minScore, and an answer
// without a score counts as Unknown. A missing or oversized token fails without a request. The
// error is non-nil only for Unknown and says why; it never contains the secret or the token.
func (v Verifier) Verify(ctx context.Context, secret, token, remoteIP string, minScore *float64) (Verdict, error) {
	if strings.TrimSpace(token) == "" || len(token) > maxToken {
		return Fail, nil
	}
	timeout := cmp.Or(v.Timeout, recaptchaTimeout)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	form := url.Values{"secret": {secret}, "response": {token}}
	if remoteIP != "" {
		form.Set("remoteip", remoteIP)
	}
	a, err := v.postForm(ctx, form)
	if err != nil {
		return Unknown, err
	}
	return a.verdict(minScore)
}

// postForm posts the form and reads the answer.
func (v Verifier) postForm(ctx context.Context, form url.Values) (answer, error) {
	endpoint := cmp.Or(v.URL, RecaptchaURL)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, strings.NewReader(form.Encode()))
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

// answer is the body of the service's response.
type answer struct {
	Success *bool    `json:"success"`
	Score   *float64 `json:"score"` // v3 only
	Errors  []string `json:"error-codes"`
}

// verdict returns what the answer says about the token. Error codes about our secret or request,
// and unknown codes, say nothing about the visitor, so they give Unknown.
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
