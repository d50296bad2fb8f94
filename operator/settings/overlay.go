package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Settings are read key by key, and not as a whole, because the libraries for JSON stop at the first
// value that they cannot read, and do not say which it is if the value reads itself, as durations do.

// overlay writes what is given over the settings, and says what cannot be.
func overlay(s *Settings, given map[string]json.RawMessage) []error {
	return overlaySection("", reflect.ValueOf(s).Elem(), given)
}

func overlaySection(path string, section reflect.Value, given map[string]json.RawMessage) []error {
	fields := keys(section)
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(given)) {
		field, ok := fields[key]
		if !ok {
			errs = append(errs, unknown(path, key, fields))
			continue
		}
		raw := given[key]
		if string(raw) == "null" {
			continue // a key without a value gives nothing: the default stays
		}
		if !isSection(field.Type()) {
			if err := overlayValue(path+key, field, raw); err != nil {
				errs = append(errs, err)
			}
			continue
		}
		var inner map[string]json.RawMessage
		if err := json.Unmarshal(raw, &inner); err != nil {
			errs = append(errs, &ValueError{path + key, shown(raw),
				"a section with the keys " + strings.Join(slices.Sorted(maps.Keys(keys(field))), ", ")})
			continue
		}
		errs = append(errs, overlaySection(path+key+".", field, inner)...)
	}
	return errs
}

func overlayValue(key string, field reflect.Value, raw json.RawMessage) error {
	value := reflect.New(field.Type())
	if err := json.Unmarshal(raw, value.Interface()); err != nil {
		return &ValueError{key, shown(raw), wanted(field)}
	}
	value = value.Elem()
	if (value.Kind() == reflect.Slice || value.Kind() == reflect.Map) && value.Len() == 0 {
		value = reflect.Zero(field.Type()) // an empty list is as good as none
	}
	field.Set(value)
	return nil
}

// keys are the fields of a section by their key in the file.
func keys(section reflect.Value) map[string]reflect.Value {
	fields := map[string]reflect.Value{}
	for field, value := range section.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		fields[name] = value
	}
	return fields
}

func isSection(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t != reflect.TypeFor[metav1.Duration]()
}

func unknown(path, key string, fields map[string]reflect.Value) error {
	of := "a file of settings"
	if path != "" {
		of = strings.TrimSuffix(path, ".")
	}
	return fmt.Errorf("there is no setting %s: the keys of %s are %s",
		path+key, of, strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
}

// wanted says what can be read into a field.
func wanted(field reflect.Value) string {
	switch field.Interface().(type) {
	case metav1.Duration:
		return "a duration such as 500ms, 30s, 5m or 1h30m"
	case []string:
		return "a list of texts"
	case map[string]string:
		return `a mapping of texts to texts, in which numbers, true and false are in quotes, such as gpu: "true"`
	}
	switch field.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.String:
		return "a text: put numbers, true and false in quotes"
	default:
		return "a whole number"
	}
}

// shown is a value as a message shows it: whole, unless it is long.
func shown(raw []byte) string {
	const most = 80
	text := []rune(string(raw))
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}
