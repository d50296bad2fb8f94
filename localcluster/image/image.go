package image

import (
	"archive/tar"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// Image is what an image is made from.
type Image struct {
	// Name is the reference by which pods ask for it, with a host and a tag: localhost/train:1. A runtime takes a
	// name without a host for one of a registry, and would look for the image under another name.
	Name string
	// Base is an archive (tar) of files that the image begins with, as it is; empty for none.
	Base string
	// Root is the folder that becomes the root of the file system, over that of Base; empty for none.
	Root string
	// Binaries are programs that are put into the root folder of the image under their own names. They must be
	// linked statically, unless the Root or what pods mount has their libraries.
	Binaries []string
	// Entrypoint is what a container runs; where there is none, the first of Binaries.
	Entrypoint []string
	// Env are variables of a container, as NAME=value.
	Env []string
	// User is who a container runs as, as UID:GID; empty for root.
	User string
	// Architecture is the one that the programs are for, as Go calls it; empty for that of this machine.
	Architecture string
	// Labels tell people and registries what the image is.
	Labels map[string]string
}

// reference is a name with a host, which has a dot or a port or is localhost, and a tag.
var reference = regexp.MustCompile(`^(localhost|[a-z0-9-]+(\.[a-z0-9-]+)+)(:[0-9]+)?(/[a-z0-9]+([._-][a-z0-9]+)*)+:[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$`)

func (i Image) validate() error {
	if !reference.MatchString(i.Name) {
		return fmt.Errorf("the name of the image is %q: give a host, a name in lower case and a tag, such as "+
			"localhost/train:1", i.Name)
	}
	if i.Base == "" && i.Root == "" && len(i.Binaries) == 0 {
		return fmt.Errorf("%s is made of nothing: give an archive, a root folder or a binary", i.Name)
	}
	return nil
}

// Write writes the image as an archive.
func (i Image) Write(to io.Writer) error {
	if err := i.validate(); err != nil {
		return err
	}
	archive := tar.NewWriter(to)
	var layers []descriptor
	if i.Base != "" {
		base, err := os.Open(i.Base)
		if err != nil {
			return err
		}
		defer base.Close()
		layer, err := copyLayer(archive, base)
		if err != nil {
			return fmt.Errorf("cannot make a layer of %s: %w", i.Base, err)
		}
		layers = append(layers, layer)
	}
	if i.Root != "" || len(i.Binaries) > 0 {
		layer, err := i.makeLayer(archive)
		if err != nil {
			return fmt.Errorf("cannot make the layer of %s: %w", i.Name, err)
		}
		layers = append(layers, layer)
	}
	if err := i.writeIndex(archive, layers); err != nil {
		return err
	}
	return archive.Close()
}

// makeLayer writes the layer of what the image is made of here.
func (i Image) makeLayer(archive *tar.Writer) (descriptor, error) {
	// It can be larger than the memory.
	layer, err := os.CreateTemp("", "layer-")
	if err != nil {
		return descriptor{}, err
	}
	defer os.Remove(layer.Name()) //nolint:errcheck // it is in the folder for temporary files
	defer layer.Close()
	if err := i.writeLayer(layer); err != nil {
		return descriptor{}, err
	}
	return copyLayer(archive, layer)
}

// copyLayer writes a file as a layer. It is read twice, as its digest comes before it.
func copyLayer(archive *tar.Writer, layer io.ReadSeeker) (descriptor, error) {
	if _, err := layer.Seek(0, io.SeekStart); err != nil {
		return descriptor{}, err
	}
	sum := sha256.New()
	size, err := io.Copy(sum, layer)
	if err != nil {
		return descriptor{}, err
	}
	if _, err := layer.Seek(0, io.SeekStart); err != nil {
		return descriptor{}, err
	}
	d := descriptor{
		MediaType: "application/vnd.oci.image.layer.v1.tar", Digest: "sha256:" + hex.EncodeToString(sum.Sum(nil)), Size: size,
	}
	return d, blob(archive, d, layer)
}

// descriptor is how the documents of an image name each other.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int64             `json:"size"`
	Annotations map[string]string `json:"annotations,omitempty"`
	Platform    *platform         `json:"platform,omitempty"`
}

// path is where an archive has what is described.
func (d descriptor) path() string { return "blobs/sha256/" + strings.TrimPrefix(d.Digest, "sha256:") }

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

// container is how an image says that it is run.
type container struct {
	User       string            `json:",omitempty"`
	Env        []string          `json:",omitempty"`
	Entrypoint []string          `json:",omitempty"`
	Labels     map[string]string `json:",omitempty"`
}

// writeIndex writes the documents of an image whose layers are written.
func (i Image) writeIndex(archive *tar.Writer, layers []descriptor) error {
	var digests, paths []string
	for _, layer := range layers {
		digests, paths = append(digests, layer.Digest), append(paths, layer.path())
	}
	architecture := cmp.Or(i.Architecture, runtime.GOARCH)
	entrypoint := i.Entrypoint
	if len(entrypoint) == 0 && len(i.Binaries) > 0 {
		entrypoint = []string{"/" + filepath.Base(i.Binaries[0])}
	}
	env := append([]string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}, i.Env...)
	config, err := document(archive, "application/vnd.oci.image.config.v1+json", map[string]any{
		"architecture": architecture, "os": "linux",
		"config": container{User: i.User, Env: env, Entrypoint: entrypoint, Labels: i.Labels},
		"rootfs": map[string]any{"type": "layers", "diff_ids": digests},
	})
	if err != nil {
		return err
	}
	manifest, err := document(archive, "application/vnd.oci.image.manifest.v1+json", map[string]any{
		"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
		"config": config, "layers": layers,
	})
	if err != nil {
		return err
	}
	_, tag, _ := strings.Cut(i.Name[strings.LastIndexByte(i.Name, '/'):], ":")
	manifest.Annotations = map[string]string{"io.containerd.image.name": i.Name, "org.opencontainers.image.ref.name": tag}
	manifest.Platform = &platform{Architecture: architecture, OS: "linux"}
	index, err := json.Marshal(map[string]any{"schemaVersion": 2, "manifests": []descriptor{manifest}})
	if err != nil {
		return err
	}
	docker, err := json.Marshal([]map[string]any{{"Config": config.path(), "Layers": paths, "RepoTags": []string{i.Name}}})
	if err != nil {
		return err
	}
	return errors.Join(
		file(archive, "oci-layout", []byte(`{"imageLayoutVersion":"1.0.0"}`)),
		file(archive, "index.json", index),
		file(archive, "manifest.json", docker),
	)
}

func document(archive *tar.Writer, mediaType string, content any) (descriptor, error) {
	text, err := json.Marshal(content)
	if err != nil {
		return descriptor{}, err
	}
	sum := sha256.Sum256(text)
	d := descriptor{MediaType: mediaType, Digest: "sha256:" + hex.EncodeToString(sum[:]), Size: int64(len(text))}
	return d, blob(archive, d, strings.NewReader(string(text)))
}

func blob(archive *tar.Writer, d descriptor, content io.Reader) error {
	if err := archive.WriteHeader(&tar.Header{Name: d.path(), Mode: 0o644, Size: d.Size}); err != nil {
		return err
	}
	_, err := io.Copy(archive, content)
	return err
}

func file(archive *tar.Writer, name string, content []byte) error {
	if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(content))}); err != nil {
		return err
	}
	_, err := archive.Write(content)
	return err
}
