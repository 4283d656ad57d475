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
	for range 2 {
		must.Do(t, write(release, out))
		var all index
		if read(t, out, "index.json", &all); len(all.Manifests) != 2 {
			t.Fatalf("%+v", all)
		}
		for i, d := range all.Manifests {
			look(t, out, d, []string{"amd64", "arm64"}[i], at)
		}
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

// read decodes a file of a layout.
func read(t *testing.T, dir, name string, v any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	must.Do(t, err)
	must.Do(t, json.Unmarshal(text, v))
}

// blob is the path of a part in a layout.
func blob(d descriptor) string {
	return filepath.Join("blobs", "sha256", strings.TrimPrefix(d.Digest, "sha256:"))
}

// look checks the image of one processor.
func look(t *testing.T, dir string, d descriptor, arch string, at time.Time) {
	t.Helper()
	if d.Platform == nil || *d.Platform != (platform{arch, "linux"}) {
		t.Errorf("%s is for %+v", arch, d.Platform)
	}
	var m manifest
	read(t, dir, blob(d), &m)
	var i image
	read(t, dir, blob(m.Config), &i)
	if i.platform != *d.Platform || !i.Created.Equal(at) || i.Config.Labels[versionLabel] != "1.2.3" {
		t.Errorf("%+v", i)
	}
	packed, err := os.ReadFile(filepath.Join(dir, blob(m.Layers[0])))
	must.Do(t, err)
	if got := digest(packed); got != m.Layers[0].Digest || len(packed) != m.Layers[0].Size {
		t.Errorf("the layer is %s of %d bytes, not %+v", got, len(packed), m.Layers[0])
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	must.Do(t, err)
	files, err := io.ReadAll(unpacked)
	must.Do(t, err)
	if digest(files) != i.Files.Diffs[0] {
		t.Error("the layer unpacks to other files than the image says")
	}
	found := map[string]*tar.Header{}
	for r := tar.NewReader(bytes.NewReader(files)); ; {
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
	if h := found["data/"]; h == nil || h.Uid != user || h.Gid != user {
		t.Errorf("the folder of the data: %+v", h)
	}
	if h := found["tmp/"]; h == nil || h.Mode != 0o1777 {
		t.Errorf("the folder of temporary files: %+v", h)
	}
	if h := found["cms"]; h == nil || h.Mode != 0o755 || h.Uid != 0 {
		t.Errorf("the program: %+v", h)
	}
}

// TestImage pushes the image IMAGE to a registry of its own with CRANE, fetches the files for this
// machine from there, and starts what the image says. `make image` runs it.
func TestImage(t *testing.T) {
	layout, crane := os.Getenv("IMAGE"), os.Getenv("CRANE")
	if layout == "" || runtime.GOOS != "linux" {
		t.Skip("IMAGE and CRANE name an image and the program crane")
	}
	ref := registry(t, crane) + "/cms:try"
	run(t, crane, "push", "--index", layout, ref)
	run(t, crane, "validate", "--remote", ref)
	here := "--platform=linux/" + runtime.GOARCH
	var i image
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
func start(t *testing.T, root string, i image) {
	t.Helper()
	if len(i.Config.Volumes) != 1 || len(i.Config.Ports) != 1 {
		t.Fatalf("volumes %v, ports %v", i.Config.Volumes, i.Config.Ports)
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
