package image

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// untar are the files of an archive, by their names, and those names in order.
func untar(t *testing.T, archive []byte) (files map[string][]byte, headers []*tar.Header) {
	t.Helper()
	files = map[string][]byte{}
	reader := tar.NewReader(bytes.NewReader(archive))
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return files, headers
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		files[header.Name], headers = content, append(headers, header)
	}
}

func write(t *testing.T, i Image) []byte {
	t.Helper()
	var archive bytes.Buffer
	if err := i.Write(&archive); err != nil {
		t.Fatal(err)
	}
	return archive.Bytes()
}

func newRoot(t *testing.T) (root, binary string) {
	t.Helper()
	root, binary = t.TempDir(), filepath.Join(t.TempDir(), "train")
	err := errors.Join(
		os.MkdirAll(filepath.Join(root, "etc"), 0o755),
		os.WriteFile(filepath.Join(root, "etc", "motd"), []byte("hello"), 0o640),
		os.Symlink("etc/motd", filepath.Join(root, "motd")),
		os.WriteFile(binary, []byte("program"), 0o755),
	)
	if err != nil {
		t.Fatal(err)
	}
	return root, binary
}

// Every document and the layer must be there under the digest by which another names it.
func TestAnImageHoldsWhatItsIndexNames(t *testing.T) {
	root, binary := newRoot(t)
	files, _ := untar(t, write(t, Image{
		Name: "localhost/train:1", Root: root, Binaries: []string{binary}, Env: []string{"A=b"}, User: "65532",
	}))
	blob := func(d descriptor) []byte {
		t.Helper()
		content := files["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
		sum := sha256.Sum256(content)
		if d.Digest != "sha256:"+hex.EncodeToString(sum[:]) || d.Size != int64(len(content)) {
			t.Fatalf("%+v names what is not there", d)
		}
		return content
	}
	read := func(text []byte, into any) {
		t.Helper()
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}
	var index struct{ Manifests []descriptor }
	read(files["index.json"], &index)
	if name := index.Manifests[0].Annotations["io.containerd.image.name"]; name != "localhost/train:1" {
		t.Errorf("the name is %q", name)
	}
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	read(blob(index.Manifests[0]), &manifest)
	var config struct {
		Config struct {
			Entrypoint, Env []string
			User            string
		}
		Rootfs struct {
			DiffIDs []string `json:"diff_ids"`
		}
	}
	read(blob(manifest.Config), &config)
	if config.Rootfs.DiffIDs[0] != manifest.Layers[0].Digest {
		t.Error("the configuration names another layer than the manifest")
	}
	if config.Config.User != "65532" {
		t.Errorf("a container runs as user %q", config.Config.User)
	}
	if config.Config.Entrypoint[0] != "/train" || !slices.Contains(config.Config.Env, "A=b") {
		t.Errorf("a container runs %v with %v", config.Config.Entrypoint, config.Config.Env)
	}
	layer, headers := untar(t, blob(manifest.Layers[0]))
	if string(layer["train"]) != "program" || string(layer["etc/motd"]) != "hello" {
		t.Errorf("the layer holds %v", layer)
	}
	modes := map[string]int64{"etc/": 0o755, "etc/motd": 0o640, "train": 0o755}
	for _, header := range headers {
		if want, known := modes[header.Name]; known && header.Mode != want {
			t.Errorf("%s has the mode %o", header.Name, header.Mode)
		}
		if header.Name == "motd" && header.Linkname != "etc/motd" {
			t.Errorf("the link leads to %q", header.Linkname)
		}
	}
}

// An archive that the image begins with comes as it is, and what is made here comes over it.
func TestAnImageBeginsWithItsBase(t *testing.T) {
	root, binary := newRoot(t)
	base := filepath.Join(t.TempDir(), "base.tar")
	if err := os.WriteFile(base, []byte("an archive"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, i := range map[int]Image{
		1: {Name: "localhost/train:1", Base: base},
		2: {Name: "localhost/train:1", Base: base, Root: root, Binaries: []string{binary}},
	} {
		files, _ := untar(t, write(t, i))
		sum := sha256.Sum256([]byte("an archive"))
		digest := hex.EncodeToString(sum[:])
		if string(files["blobs/sha256/"+digest]) != "an archive" {
			t.Errorf("the base is not in the image of %d layers", want)
		}
		var manifest struct{ Layers []descriptor }
		for _, content := range files {
			if bytes.Contains(content, []byte(`"layers":[{`)) {
				if err := json.Unmarshal(content, &manifest); err != nil {
					t.Fatal(err)
				}
			}
		}
		if len(manifest.Layers) != want || manifest.Layers[0].Digest != "sha256:"+digest {
			t.Errorf("the layers are %+v, want the base and %d in all", manifest.Layers, want)
		}
	}
}

// docker load reads its own manifest, which must name the same files; and what an image says of itself must arrive.
func TestAnImageIsForDockerToo(t *testing.T) {
	_, binary := newRoot(t)
	files, _ := untar(t, write(t, Image{
		Name: "localhost/train:1", Binaries: []string{binary}, User: "65532:65532", Architecture: "arm64",
		Labels: map[string]string{"a": "b"},
	}))
	var manifest []struct {
		Config   string
		Layers   []string
		RepoTags []string
	}
	if err := json.Unmarshal(files["manifest.json"], &manifest); err != nil {
		t.Fatal(err)
	}
	if m := manifest[0]; len(m.Layers) != 1 || files[m.Layers[0]] == nil ||
		!slices.Equal(m.RepoTags, []string{"localhost/train:1"}) {
		t.Errorf("docker is told of %+v", m)
	}
	var config struct {
		Architecture string
		Config       struct {
			User   string
			Labels map[string]string
		}
	}
	if err := json.Unmarshal(files[manifest[0].Config], &config); err != nil {
		t.Fatal(err)
	}
	if config.Architecture != "arm64" || config.Config.User != "65532:65532" || config.Config.Labels["a"] != "b" {
		t.Errorf("the image says of itself %+v", config)
	}
	var index struct{ Manifests []descriptor }
	if err := json.Unmarshal(files["index.json"], &index); err != nil {
		t.Fatal(err)
	}
	if on := index.Manifests[0].Platform; on == nil || on.Architecture != "arm64" {
		t.Errorf("the index says that it is for %+v", on)
	}
}

func TestTheSameFilesMakeTheSameImage(t *testing.T) {
	root, binary := newRoot(t)
	i := Image{Name: "localhost/train:1", Root: root, Binaries: []string{binary}}
	first := write(t, i)
	i.Root, i.Binaries[0] = newRoot(t)
	if !bytes.Equal(first, write(t, i)) {
		t.Error("the same files have made two images")
	}
}

func TestAnImageThatNoPodCouldAskForIsRefused(t *testing.T) {
	_, binary := newRoot(t)
	cases := map[string]Image{
		"no host":      {Name: "train:1", Binaries: []string{binary}},
		"no tag":       {Name: "localhost/train", Binaries: []string{binary}},
		"upper case":   {Name: "localhost/Train:1", Binaries: []string{binary}},
		"nothing":      {Name: "localhost/train:1"},
		"missing file": {Name: "localhost/train:1", Binaries: []string{binary + "s"}},
		"missing base": {Name: "localhost/train:1", Base: binary + "s"},
		"missing root": {Name: "localhost/train:1", Root: binary + "s"},
	}
	for name, i := range cases {
		t.Run(name, func(t *testing.T) {
			if err := i.Write(io.Discard); err == nil {
				t.Errorf("%+v is taken", i)
			}
		})
	}
}
