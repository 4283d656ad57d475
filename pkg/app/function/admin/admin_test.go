package admin

import (
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"headless/pkg/access/grants"
	"headless/pkg/admin"
	"headless/pkg/app"
	"headless/pkg/app/function"
	"headless/pkg/app/lambdahttp"
	"headless/pkg/app/webhooks"
	"headless/pkg/hooks"
)

// TestOwnNameOfTheAPI: with a domain, the name that API Gateway gives the API is still an address
// of the service, which no webhook may call.
func TestOwnNameOfTheAPI(t *testing.T) {
	const site = "https://cms.example.com"
	for region, own := range map[string]string{
		"eu-west-1":  "abc.execute-api.eu-west-1.amazonaws.com",
		"cn-north-1": "abc.execute-api.cn-north-1.amazonaws.com.cn",
	} {
		b := &function.Base{Config: app.Config{SiteURL: site, OwnHosts: []string{"cdn.example.com"}},
			AWS: aws.Config{Region: region}}
		sender := &hooks.Deliveries{Client: webhooks.NewClient(b.Config)}
		on := admin.Services{Webhooks: hooks.Webhooks{Deliveries: sender}, Grants: &grants.Grants{}}
		answered := 0
		h := lambdahttp.New(knowingAPI(b, site, &on, http.HandlerFunc(
			func(http.ResponseWriter, *http.Request) { answered++ })))
		for range 2 {
			if _, err := h.Invoke(t.Context(), []byte(`{"version":"2.0","rawPath":"/admin/webhooks",
				"requestContext":{"apiId":"abc","domainName":"cms.example.com","http":{"method":"GET"}}}`)); err != nil {
				t.Fatal(err)
			}
		}
		if answered != 2 {
			t.Errorf("%d requests were answered", answered)
		}
		for _, host := range []string{own, "cms.example.com", "cdn.example.com"} {
			err := sender.Client.CheckURL(t.Context(), "https://"+host+"/api/v1/forms/x/submit")
			if err == nil || !strings.Contains(err.Error(), "own address") {
				t.Errorf("%s: %s: %v", region, host, err)
			}
		}
	}
}
