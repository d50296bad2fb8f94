package settings

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// What a file of settings may begin with, as other files of Kubernetes do. It need not; but where it
// does, a file of another kind or version is refused.
const (
	APIVersion = "takt.dev/v1alpha1"
	Kind       = "OperatorConfiguration"
)

// Load returns the defaults overlaid by what the file says. A key that is not a setting or is there
// twice, and a value that Validate refuses, are errors; all of them are told together.
func Load(path string) (Settings, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Settings{}, fmt.Errorf("cannot read the settings: %w", err)
	}
	s, err := parse(text)
	if err != nil {
		return Settings{}, fmt.Errorf("the settings in %s cannot be used:\n%w", path, err)
	}
	return s, nil
}

func parse(text []byte) (Settings, error) {
	document, err := only(text)
	if err != nil {
		return Settings{}, err
	}
	raw, err := yaml.YAMLToJSONStrict(document)
	if err != nil {
		return Settings{}, fmt.Errorf("not a YAML file in which every key is there once: %w", err)
	}
	s := Default()
	if string(raw) == "null" {
		return s, nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return Settings{}, fmt.Errorf("the file is %s, but must have keys and values, such as log: {level: 1}", shown(raw))
	}
	errs := header(given)
	errs = append(errs, overlay(&s, given)...)
	if err := errors.Join(append(errs, s.Validate())...); err != nil {
		return Settings{}, err
	}
	return s, nil
}

// only returns the one document of a file. The YAML library would read the first and say nothing of
// others.
func only(text []byte) ([]byte, error) {
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	var found []byte
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		if isEmpty(document) {
			continue
		}
		if found != nil {
			return nil, errors.New("there are several documents, with --- between them, but only one is read: join them")
		}
		found = document
	}
}

// isEmpty says that a document has nothing but comments.
func isEmpty(document []byte) bool {
	for line := range strings.Lines(string(document)) {
		line = strings.TrimSpace(line)
		if line != "" && line != "---" && !strings.HasPrefix(line, "#") {
			return false
		}
	}
	return true
}

// header takes apiVersion and kind from what is given.
func header(given map[string]json.RawMessage) []error {
	var errs []error
	for _, each := range []struct{ key, want string }{{"apiVersion", APIVersion}, {"kind", Kind}} {
		raw, ok := given[each.key]
		if !ok {
			continue
		}
		delete(given, each.key)
		var value string
		if err := json.Unmarshal(raw, &value); err != nil || value != each.want {
			errs = append(errs, &ValueError{each.key, shown(raw), each.want + " where it is given"})
		}
	}
	return errs
}
