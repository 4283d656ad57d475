package main

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"

	"headless/pkg/app/awsconf/awss3"
	"headless/pkg/must"
	"headless/scripts/internal/service"
)

// drill is a restore of the stack that the environment names, on LocalStack.
type drill struct {
	t      *testing.T
	cfg    aws.Config
	rows   *dynamodb.Client
	files  *s3.Client
	admin  *service.Admin
	table  string // the restored one
	bucket string // the restored one
}

// TestDrill restores secrets and files beside a deployed stack and checks them by
// scripts/ci/restore.sh. No emulator restores a table to a time, so a copy of the rows stands for
// the restored table. `make test-localstack` runs it, after it made the user of package service.
func TestDrill(t *testing.T) {
	if os.Getenv("DRILL") == "" {
		t.Skip("runs with DRILL=1 on a stack")
	}
	cfg, err := config.LoadDefaultConfig(t.Context())
	must.Do(t, err)
	suffix := strings.ToLower(time.Now().UTC().Format("20060102t150405"))
	d := &drill{t: t, cfg: cfg, files: awss3.New(cfg, os.Getenv),
		rows: dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
			o.DisableValidateResponseChecksum = true // DynamoDB Local sends wrong ones with its errors
		}),
		admin: service.SignIn(t, os.Getenv("E2E_BASE_URL")),
		table: "drill-" + suffix, bucket: "drill-" + suffix}
	kept, deleted := d.fill()
	at := time.Now().UTC().Truncate(time.Second)
	d.copyTable()
	<-time.After(time.Until(at.Add(2 * time.Second))) // S3 knows whole seconds
	d.admin.Do("DELETE", "/admin/media/"+deleted, nil, nil)
	d.await(deleted)
	if _, err := d.files.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &d.bucket}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.files.PutBucketVersioning(t.Context(), &s3.PutBucketVersioningInput{Bucket: &d.bucket,
		VersioningConfiguration: &s3types.VersioningConfiguration{Status: s3types.BucketVersioningStatusEnabled},
	}); err != nil {
		t.Fatal(err)
	}
	if text, err := d.restore("secrets files check", at); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, id := range []string{kept, deleted} {
		key := "media/" + id
		out, err := d.files.HeadObject(t.Context(), &s3.HeadObjectInput{Bucket: &d.bucket, Key: &key})
		if err != nil || !strings.HasPrefix(aws.ToString(out.ContentType), "text/plain") {
			t.Errorf("%s: %+v, %v", key, out, err)
		}
	}
	key := "media/" + kept
	if _, err := d.files.DeleteObject(t.Context(), &s3.DeleteObjectInput{Bucket: &d.bucket, Key: &key}); err != nil {
		t.Fatal(err)
	}
	if text, err := d.restore("check", at); err == nil || !strings.Contains(text, kept) {
		t.Errorf("a file is missing, and the check says: %v\n%s", err, text)
	}
	d.drop()
}

// fill makes a secret and two files, and returns their ids.
func (d *drill) fill() (kept, deleted string) {
	d.t.Helper()
	d.admin.Do("POST", "/admin/forms", map[string]any{"slug": "drill", "name": "Drill",
		"recaptcha": map[string]any{"site_key": "site", "secret_key": "secret-of-the-drill"}}, nil)
	d.t.Cleanup(func() { d.remove("/admin/forms/drill") })
	key := d.admin.MakeKey(map[string]any{"name": "drill", "scopes": []string{"read", "write"}})
	upload := func(text string) (id string) {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, err := form.CreateFormFile("file", "drill.txt")
		must.Do(d.t, err)
		_, _ = io.WriteString(part, text)
		form.Close()
		req, err := http.NewRequestWithContext(d.t.Context(), "POST",
			os.Getenv("E2E_BASE_URL")+"/api/v1/upload", &body)
		must.Do(d.t, err)
		req.Header.Set("Content-Type", form.FormDataContentType())
		req.Header.Set("X-API-Key", key.PublicKey)
		req.Header.Set("X-API-Secret", key.Secret)
		resp, err := http.DefaultClient.Do(req)
		must.Do(d.t, err)
		defer resp.Body.Close()
		var answer struct{ Data struct{ ID string } }
		if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || answer.Data.ID == "" {
			d.t.Fatalf("upload: %s, %v", resp.Status, err)
		}
		return answer.Data.ID
	}
	kept, deleted = upload("kept"), upload("deleted after the time")
	d.t.Cleanup(func() { d.remove("/admin/media/" + kept) })
	return kept, deleted
}

// remove deletes what the drill made; the context of the test has ended then.
func (d *drill) remove(path string) {
	req, err := http.NewRequest("DELETE", os.Getenv("E2E_BASE_URL")+path, nil)
	if err != nil {
		d.t.Error(err)
		return
	}
	req.Header.Set("Authorization", "Bearer "+d.admin.Token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		d.t.Error(err)
		return
	}
	resp.Body.Close()
}

// await polls until the bucket of the stack has no object for a deleted file.
func (d *drill) await(id string) {
	d.t.Helper()
	bucket, key := os.Getenv("MEDIA_BUCKET"), "media/"+id
	deadline := time.Now().Add(time.Minute)
	for time.Now().Before(deadline) {
		if _, err := d.files.HeadObject(d.t.Context(), &s3.HeadObjectInput{Bucket: &bucket, Key: &key}); err != nil {
			return
		}
	}
	d.t.Fatalf("%s is still there", key)
}

// copyTable makes a table with the rows of the stack's.
func (d *drill) copyTable() {
	d.t.Helper()
	ctx, from := d.t.Context(), os.Getenv("TABLE_NAME")
	_, err := d.rows.CreateTable(ctx, &dynamodb.CreateTableInput{TableName: &d.table,
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeB}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange}}})
	must.Do(d.t, err)
	err = dynamodb.NewTableExistsWaiter(d.rows).Wait(ctx, &dynamodb.DescribeTableInput{TableName: &d.table},
		time.Minute)
	must.Do(d.t, err)
	pages := dynamodb.NewScanPaginator(d.rows, &dynamodb.ScanInput{TableName: &from})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		must.Do(d.t, err)
		for _, item := range page.Items {
			if _, err := d.rows.PutItem(ctx, &dynamodb.PutItemInput{TableName: &d.table, Item: item}); err != nil {
				d.t.Fatal(err)
			}
		}
	}
}

// drop removes the restored table and bucket by scripts/ci/drop.sh, with the AWS CLI of LocalStack.
func (d *drill) drop() {
	d.t.Helper()
	cli, err := filepath.Abs("../../.tools/localstack/bin")
	must.Do(d.t, err)
	cmd := exec.CommandContext(d.t.Context(), "../ci/drop.sh", d.table, d.bucket)
	cmd.Env = append(os.Environ(), "PATH="+cli+":"+os.Getenv("PATH"))
	if text, err := cmd.CombinedOutput(); err != nil {
		d.t.Errorf("%v\n%s", err, text)
	}
	if _, err := d.files.HeadBucket(d.t.Context(), &s3.HeadBucketInput{Bucket: &d.bucket}); err == nil {
		d.t.Error("the bucket is there")
	}
	if _, err := d.rows.DescribeTable(d.t.Context(), &dynamodb.DescribeTableInput{TableName: &d.table}); err == nil {
		d.t.Error("the table is there")
	}
}

// restore runs steps of the script for the table and the bucket of the drill.
func (d *drill) restore(steps string, at time.Time) (printed string, err error) {
	cmd := exec.CommandContext(d.t.Context(), "scripts/ci/restore.sh", os.Getenv("STACK"), d.table,
		at.Format(time.RFC3339))
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "STEPS="+steps, "TABLE="+d.table, "NEW_BUCKET="+d.bucket,
		"FROM_BUCKET="+os.Getenv("MEDIA_BUCKET"))
	text, err := cmd.CombinedOutput()
	return string(text), err
}
