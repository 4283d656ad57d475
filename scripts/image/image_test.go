package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/match"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"headless/pkg/must"
)

// TestLayout makes the image of two archives: all parts are where the layout says, and a second
// time they are the same.
func TestLayout(t *testing.T) {
	release, at := t.TempDir(), time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	for _, arch := range []string{"amd64", "arm64"} {
		pack(t, filepath.Join(release, "cms_1.2.3_linux_"+arch+".tar.gz"), at, "LICENSE", "cms", arch)
	}
	out := filepath.Join(t.TempDir(), "image")
	must.Do(t, write(release, out))
	all, err := layout.ImageIndexFromPath(out)
	must.Do(t, err)
	must.Do(t, validate.Index(all))
	for _, arch := range []string{"amd64", "arm64"} {
		images, err := partial.FindImages(all, match.Platforms(v1.Platform{OS: "linux", Architecture: arch}))
		must.Do(t, err)
		if len(images) != 1 {
			t.Fatalf("%d images for %s", len(images), arch)
		}
		look(t, images[0], arch, at)
	}
	first, _ := os.ReadFile(filepath.Join(out, "index.json"))
	must.Do(t, write(release, out))
	if second, _ := os.ReadFile(filepath.Join(out, "index.json")); !bytes.Equal(first, second) {
		t.Errorf("the same archives make %s and %s", first, second)
	}
	if err := write(t.TempDir(), out); err == nil {
		t.Error("an image was made of nothing")
	}
	pack(t, filepath.Join(release, "cms_1.2.3_linux_amd64.tar.gz"), at, "LICENSE", "README", "")
	if err := write(release, out); err == nil {
		t.Error("an image was made without the program")
	}
}

// pack makes an archive with two files of one content.
func pack(t *testing.T, path string, at time.Time, first, second, content string) {
	t.Helper()
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	w := tar.NewWriter(packed)
	for _, name := range []string{first, second} {
		header := &tar.Header{Name: name, Mode: 0o755, Size: int64(len(content)), ModTime: at}
		must.Do(t, w.WriteHeader(header))
		fmt.Fprint(w, content)
	}
	w.Close()
	packed.Close()
	must.Do(t, os.WriteFile(path, out.Bytes(), 0o644))
}

// look checks the image of one processor.
func look(t *testing.T, image v1.Image, arch string, at time.Time) {
	t.Helper()
	config, err := image.ConfigFile()
	must.Do(t, err)
	if config.Platform().String() != "linux/"+arch || !config.Created.Equal(at) ||
		config.Config.Labels[versionLabel] != "1.2.3" {
		t.Errorf("%+v", config)
	}
	files := mutate.Extract(image)
	defer files.Close()
	found := map[string]*tar.Header{}
	for r := tar.NewReader(files); ; {
		header, err := r.Next()
		if err == io.EOF {
			break
		}
		must.Do(t, err)
		found[header.Name] = header
		content, _ := io.ReadAll(r)
		switch header.Name {
		case "cms":
			if string(content) != arch {
				t.Errorf("the program of %s is %q", arch, content)
			}
		case "etc/ssl/certs/ca-certificates.crt":
			if !x509.NewCertPool().AppendCertsFromPEM(content) || bytes.Count(content, []byte("BEGIN")) < 100 {
				t.Errorf("root certificates: %.100s", content)
			}
		}
	}
	if h := found["data"]; h == nil || h.Uid != user || h.Gid != user {
		t.Errorf("the folder of the data: %+v", h)
	}
	if h := found["tmp"]; h == nil || h.Mode != 0o1777 {
		t.Errorf("the folder of temporary files: %+v", h)
	}
	if h := found["cms"]; h == nil || h.Mode != 0o755 || h.Uid != 0 {
		t.Errorf("the program: %+v", h)
	}
}

// TestImage pushes the image IMAGE to a registry of its own with CRANE, fetches the files for this
// machine from there, and starts what the image says. `make image` runs it.
func TestImage(t *testing.T) {
	dir, crane := os.Getenv("IMAGE"), os.Getenv("CRANE")
	if dir == "" || runtime.GOOS != "linux" {
		t.Skip("IMAGE and CRANE name an image and the program crane")
	}
	ref := registry(t, crane) + "/cms:try"
	run(t, crane, "push", "--index", dir, ref)
	run(t, crane, "validate", "--remote", ref)
	here := "--platform=linux/" + runtime.GOARCH
	var i v1.ConfigFile
	must.Do(t, json.Unmarshal(run(t, crane, "config", here, ref), &i))
	root := t.TempDir()
	must.Do(t, os.Chmod(root, 0o755))
	run(t, crane, "export", here, ref, root+".tar")
	t.Cleanup(func() { os.Remove(root + ".tar") })
	run(t, "tar", "-xpf", root+".tar", "-C", root)
	start(t, root, i)
}

// registry starts a registry in memory and returns its address.
func registry(t *testing.T, crane string) string {
	t.Helper()
	cmd := exec.Command(crane, "registry", "serve", "--address", "127.0.0.1:0")
	said, err := cmd.StderrPipe()
	must.Do(t, err)
	must.Do(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if _, port, ok := strings.Cut(lines.Text(), "serving on port "); ok {
			go io.Copy(io.Discard, said)
			return "localhost:" + port
		}
	}
	t.Fatal("the registry does not start")
	return ""
}

func run(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, failed.Bytes())
	}
	return out
}

// start runs the program of an image on its files as a container engine would, as far as this user
// may: root changes the root folder and the user; others run it in the folder.
func start(t *testing.T, root string, i v1.ConfigFile) {
	t.Helper()
	if len(i.Config.Volumes) != 1 || len(i.Config.ExposedPorts) != 1 {
		t.Fatalf("volumes %v, ports %v", i.Config.Volumes, i.Config.ExposedPorts)
	}
	args := append(i.Config.Entrypoint, i.Config.Cmd...)
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	const port = "39124"
	cmd.Env = append(i.Config.Env, "PORT="+port, "LISTEN_ADDRESS=127.0.0.1")
	cmd.Dir = "/"
	if os.Getuid() == 0 {
		var id uint32
		if _, err := fmt.Sscanf(i.Config.User, "%d", &id); err != nil {
			t.Fatal(err)
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: id, Gid: id}}
	} else {
		cmd.Path, cmd.Dir = filepath.Join(root, args[0]), root
		cmd.Env = append(cmd.Env, "DATA_DIR="+filepath.Join(root, "data"), "TMPDIR="+filepath.Join(root, "tmp"))
	}
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	must.Do(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for tick := time.NewTicker(100 * time.Millisecond); ; {
		resp, err := http.Get("http://127.0.0.1:" + port + "/api/v1/ping")
		if err == nil {
			resp.Body.Close()
			if got, want := resp.Header.Get("X-Service-Version"), i.Config.Labels[versionLabel]; got != want {
				t.Errorf("the version is %q, the image says %q", got, want)
			}
			break
		}
		select {
		case <-tick.C:
		case err := <-ended:
			t.Fatalf("it ended: %v\n%s", err, log.Bytes())
		case <-ctx.Done():
			t.Fatalf("it does not answer:\n%s", log.Bytes())
		}
	}
	if _, err := os.Stat(filepath.Join(root, "data", "table.db")); err != nil {
		t.Errorf("the volume has no data: %v", err)
	}
	must.Do(t, cmd.Cancel())
	if err := <-ended; err != nil {
		t.Errorf("it ends with %v\n%s", err, log.Bytes())
	}
}
