package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"headless/scripts/awslocal/cdn"
	"headless/scripts/awslocal/cloud"
	"headless/scripts/awslocal/gateway"
	"headless/scripts/awslocal/guard"
	"headless/scripts/awslocal/mailbox"
	"headless/scripts/awslocal/pump"
	"headless/scripts/awslocal/runtime"
	"headless/scripts/internal/template"
)

const (
	region    = "us-east-1"
	accessKey = "test"
	secretKey = "testtest"
	buildDir  = ".build/awslocal"
	apiID     = "local"

	// originVerify is the environment variable with the secret that the CDN sends if it is in front
	// of everything (-edge).
	originVerify = "ORIGIN_VERIFY"
)

// deployment is a template with its resources made and its functions built.
type deployment struct {
	cloud     *cloud.Cloud
	scope     template.Scope
	address   string
	variables map[string]string // endpoints and credentials on this machine
	specs     []template.Function
	guard     *guard.Guard // in front of the table, for the functions only
	guarded   string       // URL of the guard
	cdn       *cdn.CDN     // in front of the delivery API
	functions map[string]*runtime.Function
	routes    gateway.Routes
	log       *slog.Logger
}

// deploy makes the resources, builds the functions and reads the routes.
func deploy(ctx context.Context, o options, address string, log io.Writer) (*deployment, error) {
	t, err := template.Load(o.template)
	if err != nil {
		return nil, err
	}
	level := slog.LevelInfo
	if o.log == "" { // nobody wants to read a line for each request
		level = slog.LevelWarn
	}
	d := &deployment{
		address: address, functions: map[string]*runtime.Function{},
		log: slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: level})),
		variables: map[string]string{"AWS_REGION": region, "AWS_ACCESS_KEY_ID": accessKey,
			"AWS_SECRET_ACCESS_KEY": secretKey},
	}
	for service, endpoint := range o.endpoints {
		d.variables["AWS_ENDPOINT_URL_"+service] = endpoint
	}
	if d.cloud, err = cloud.New(o.prefix, func(name string) string { return d.variables[name] }); err != nil {
		return nil, err
	}
	parameters := map[string]string{"MediaCdn": "false", "SiteUrl": address, "MediaBaseUrl": address + "/media"}
	maps.Copy(parameters, o.parameters)
	if o.edge {
		d.variables[originVerify] = rand.Text()
	}
	if d.scope, err = d.cloud.Make(ctx, t, parameters); err != nil {
		return nil, err
	}
	d.pseudo()
	if d.specs, err = t.Functions(d.scope); err != nil {
		return nil, err
	}
	if err := d.protect(t); err != nil {
		return nil, err
	}
	if err := d.distribute(); err != nil {
		return nil, err
	}
	if err := d.keepMail(); err != nil {
		return nil, err
	}
	built, err := filepath.Abs(cmp.Or(o.built, buildDir))
	if err != nil {
		return nil, err
	}
	if o.built == "" {
		if err := build(ctx, d.specs, built); err != nil {
			return nil, err
		}
	}
	for _, spec := range d.specs {
		d.functions[spec.ID] = d.function(spec, filepath.Join(built, spec.ID), o, log)
	}
	d.routes, err = routes(d.specs)
	return d, err
}

// pseudo adds the names in the template that are not resources of an emulator.
func (d *deployment) pseudo() {
	maps.Copy(d.scope.Refs, map[string]string{
		"HttpApi": apiID, "AWS::Region": region, "AWS::AccountId": "000000000000",
		"AWS::Partition": "aws", "AWS::URLSuffix": "amazonaws.com", "AWS::StackName": d.cloud.Prefix,
	})
}

// protect starts a guard in front of the table. It refuses requests that the policies of a function
// do not allow.
func (d *deployment) protect(t *template.Template) error {
	policies, tables := map[string][]template.Statement{}, map[string]string{}
	for _, spec := range d.specs {
		statements, err := t.Statements(spec.ID, "dynamodb", d.scope)
		if err != nil {
			return err
		}
		policies[spec.ID] = statements
	}
	for _, r := range t.Resources("AWS::DynamoDB::Table") {
		tables[d.scope.Refs[r.ID]] = d.scope.Attributes[r.ID+".Arn"]
	}
	var err error
	if d.guard, err = guard.New(d.variables["AWS_ENDPOINT_URL_DYNAMODB"], policies, tables); err != nil {
		return err
	}
	d.guarded, err = serve(d.guard)
	return err
}

// distribute makes the CDN in front of the delivery API, and sets the endpoint at which functions
// purge it.
func (d *deployment) distribute() (err error) {
	d.cdn = &cdn.CDN{Log: func(ctx context.Context, key string, file []byte) error {
		return d.cloud.PutFile(ctx, d.scope.Refs["ViewLogs"], key, file)
	}}
	d.variables["AWS_ENDPOINT_URL_CLOUDFRONT"], err = serve(d.cdn.API())
	return err
}

// keepMail puts a mailbox in front of SES.
func (d *deployment) keepMail() error {
	m, err := mailbox.New(d.variables["AWS_ENDPOINT_URL_SESV2"])
	if err != nil {
		return err
	}
	d.variables["AWS_ENDPOINT_URL_SESV2"], err = serve(m)
	return err
}

// serve serves on a free port and returns its URL.
func serve(handler http.Handler) (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener) // until the process ends, like the functions
	return "http://" + listener.Addr().String(), nil
}

func (d *deployment) function(spec template.Function, dir string, o options,
	log io.Writer) *runtime.Function {
	environment := map[string]string{}
	for _, source := range []map[string]string{spec.Environment, d.variables, o.variables} {
		maps.Copy(environment, source)
	}
	environment["AWS_ENDPOINT_URL_DYNAMODB"] = d.guarded + "/" + spec.ID
	if _, purges := environment["DISTRIBUTION_ID"]; purges {
		environment["DISTRIBUTION_ID"] = cdn.Distribution
	}
	if _, reads := environment["VIEWS_BUCKET"]; reads {
		environment["VIEWS_BUCKET"] = d.scope.Refs["ViewLogs"]
	}
	f := &runtime.Function{
		Name: spec.ID, Dir: dir, Region: region, MemorySize: spec.MemorySize,
		Timeout:     time.Duration(spec.Timeout) * time.Second,
		Environment: environment, Log: log, Copies: o.copies,
	}
	if o.log != "" {
		f.Reports = log
	}
	return f
}

// routes reads the HttpApi events.
func routes(specs []template.Function) (gateway.Routes, error) {
	var list []gateway.Route
	for _, f := range specs {
		for _, e := range f.Events {
			if e.Type != "HttpApi" {
				continue
			}
			r := gateway.Route{Method: "ANY", Path: gateway.DefaultRoute, Function: f.ID}
			if path, ok := e.Properties["Path"].(string); ok {
				r.Path, r.Method = path, fmt.Sprint(e.Properties["Method"])
			}
			list = append(list, r)
		}
	}
	return gateway.NewRoutes(list)
}

// handler serves the API, paths below /delivery through the CDN, media below /media, and a route
// that invokes a function.
func (d *deployment) handler() http.Handler {
	mux := http.NewServeMux()
	var api http.Handler = gateway.Gateway{Routes: d.routes, Log: d.log,
		Invoke: func(ctx context.Context, id string, payload []byte) ([]byte, error) {
			return d.functions[id].Invoke(ctx, payload)
		}}
	if secret := d.variables[originVerify]; secret != "" {
		api = cdn.Origin{API: api, Secret: secret, Host: apiID + ".execute-api." + region + ".amazonaws.com"}
	}
	mux.Handle("/", api)
	d.cdn.Origin = api
	files := d.cloud.Media(d.scope.Refs["MediaBucket"])
	mux.HandleFunc("/media/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "" { // as the distribution does: variants come from the function
			api.ServeHTTP(w, r)
			return
		}
		files.ServeHTTP(w, r)
	})
	mux.HandleFunc("POST /_awslocal/invoke/{function}", d.invoke)
	rest := unclean(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/delivery/") {
			d.cdn.ServeHTTP(w, r)
			return
		}
		rest.ServeHTTP(w, r)
	})
}

// invoke invokes a function with the body of the request as its event. Without a body, the event is
// that of a schedule.
func (d *deployment) invoke(w http.ResponseWriter, r *http.Request) {
	f, ok := d.functions[r.PathValue("function")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	payload, err := io.ReadAll(r.Body)
	if err == nil && len(payload) == 0 {
		payload = pump.Scheduled(time.Now())
	}
	if err == nil {
		payload, err = f.Invoke(r.Context(), payload)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Write(payload)
}

// unclean keeps http.ServeMux from redirecting paths such as //x, which API Gateway passes on.
func unclean(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if strings.HasPrefix(path, "/media/") || strings.HasPrefix(path, "/_awslocal/") {
			mux.ServeHTTP(w, r)
			return
		}
		root := r.Clone(r.Context())
		root.URL.Path, root.URL.RawPath = "/", ""
		handler, _ := mux.Handler(root)
		handler.ServeHTTP(w, r)
	})
}

// command runs a command. Its environment has the URL of the service and the variables of the
// functions.
func (d *deployment) command(ctx context.Context, args []string) error {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "E2E_TARGET=awslocal", "E2E_BASE_URL="+d.address)
	for name, value := range d.environment() {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	if refused := d.guard.Refused(); len(refused) > 0 {
		return fmt.Errorf("policies of template.yaml refused requests:\n%s", strings.Join(refused, "\n"))
	}
	return nil
}

// environment returns the variables of all functions together, for programs that run beside them.
func (d *deployment) environment() map[string]string {
	all := map[string]string{}
	for _, f := range d.specs {
		maps.Copy(all, f.Environment)
	}
	for _, name := range []string{"GOMAXPROCS", "GOGC"} { // meant for the functions only
		delete(all, name)
	}
	maps.Copy(all, d.variables)
	return all
}

func (d *deployment) close() {
	for _, f := range d.functions {
		f.Close()
	}
}
