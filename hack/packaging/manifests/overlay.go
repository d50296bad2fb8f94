package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// render gives what a folder of config/ makes, with the images of a release.
func render(o options, field, folder string) ([]byte, error) {
	work, err := os.MkdirTemp("", "takt-manifests-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if work, err = filepath.EvalSymlinks(work); err != nil {
		return nil, err
	}
	root, err := filepath.Abs(o.root)
	if err != nil {
		return nil, err
	}
	from, err := filepath.Rel(work, filepath.Join(root, "config", folder))
	if err != nil {
		return nil, err
	}
	overlay := fmt.Sprintf("%s: [%s]\nimages: [{name: takt, newName: %s, newTag: %s}]\n", field, from, o.image, o.version)
	if err := os.WriteFile(filepath.Join(work, "kustomization.yaml"), []byte(overlay), 0o600); err != nil {
		return nil, err
	}
	text, err := build(work)
	if err != nil {
		return nil, err
	}
	return []byte(strings.ReplaceAll(string(text), "takt-agent:dev", o.image+"-agent:"+o.version)), nil
}

// build does what kubectl kustomize does: what others need comes first, such as the namespace.
func build(folder string) ([]byte, error) {
	with := krusty.MakeDefaultOptions()
	with.Reorder = krusty.ReorderOptionLegacy
	made, err := krusty.MakeKustomizer(with).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		return nil, err
	}
	return made.AsYaml()
}
