// Command reference writes docs/api.md: each field of each kind, from the CRDs.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

func main() {
	if err := run("config/crd/bases", "docs/api.md"); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

// definition is as much of a CRD as is told.
type definition struct {
	Spec struct {
		Group string
		Scope string
		Names struct {
			Kind       string
			Plural     string
			ShortNames []string
		}
		Versions []struct {
			Name   string
			Schema struct {
				OpenAPIV3Schema schema
			}
		}
	}
}

func run(from, to string) error {
	files, err := filepath.Glob(filepath.Join(from, "*.yaml"))
	if err != nil {
		return err
	}
	var page bytes.Buffer
	page.WriteString(`# The kinds of Takt

Each field, as ` + "`kubectl explain`" + ` tells it. ` + "`make generate`" + ` writes this page from [config/crd](../config/crd). [using.md](using.md) says
what they are for. Fields in *italics* have to be given.
`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var d definition
		if err := yaml.Unmarshal(text, &d); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		d.write(&page)
	}
	return os.WriteFile(to, page.Bytes(), 0o644)
}

func (d definition) write(page *bytes.Buffer) {
	names := append([]string{d.Spec.Names.Plural}, d.Spec.Names.ShortNames...)
	for _, version := range d.Spec.Versions {
		kind := version.Schema.OpenAPIV3Schema
		where := "in a namespace"
		if d.Spec.Scope == "Cluster" {
			where = "of the whole cluster"
		}
		fmt.Fprintf(page, "\n## %s\n\n`%s/%s`, %s; `kubectl get %s`.\n\n%s\n", d.Spec.Names.Kind, d.Spec.Group, version.Name,
			where, strings.Join(names, "` or `"), prose(kind.Description))
		for _, part := range []string{"spec", "status"} {
			if fields, ok := kind.Properties[part]; ok {
				fmt.Fprintf(page, "\n### %s.%s\n\n", d.Spec.Names.Kind, part)
				fields.write(page, part)
			}
		}
	}
}
