package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// schema is as much of the schema of a field as is told.
type schema struct {
	Type                 string
	Format               string
	Description          string
	Properties           map[string]schema
	AdditionalProperties *schema
	Items                *schema
	Required             []string
	Enum                 []any
	Default              any
	Minimum, Maximum     *float64
	MinItems, MaxItems   *int
	MaxLength            *int
	IntOrString          bool                       `json:"x-kubernetes-int-or-string"`
	Validations          []struct{ Message string } `json:"x-kubernetes-validations"`
}

// write lists the fields of an object, each followed by its own, as a table.
func (s schema) write(page *bytes.Buffer, path string) {
	if len(s.Validations) > 0 {
		for _, v := range s.Validations {
			fmt.Fprintf(page, "- Refused: %s.\n", strings.TrimSuffix(v.Message, "."))
		}
		page.WriteString("\n")
	}
	page.WriteString("| field | | |\n|---|---|---|\n")
	s.rows(page, path)
}

func (s schema) rows(page *bytes.Buffer, path string) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		field := s.Properties[name]
		full := path + "." + name
		shown := "`" + full + "`"
		if slices.Contains(s.Required, name) {
			shown = "*" + shown + "*"
		}
		fmt.Fprintf(page, "| %s | %s | %s |\n", shown, field.kind(), field.says(path != full))
		field.within().rows(page, full+field.brackets())
	}
}

// within is the object that a field has, or of which it has several.
func (s schema) within() schema {
	switch {
	case s.Items != nil:
		return s.Items.within()
	case s.AdditionalProperties != nil:
		return s.AdditionalProperties.within()
	}
	return s
}

func (s schema) brackets() string {
	switch {
	case s.Items != nil:
		return "[]"
	case s.AdditionalProperties != nil:
		return ".*"
	}
	return ""
}

// kind is the type of a field, as people say it.
func (s schema) kind() string {
	switch {
	case s.IntOrString:
		return "number or text"
	case s.Items != nil:
		return "list of " + s.Items.kind()
	case s.AdditionalProperties != nil:
		return "map of " + s.AdditionalProperties.kind()
	case s.Format == "date-time":
		return "time"
	}
	if said, ok := map[string]string{"string": "text", "integer": "number", "boolean": "true or false"}[s.Type]; ok {
		return said
	}
	return s.Type
}

// says is the description of a field, and what may be written there.
func (s schema) says(nested bool) string {
	said := []string{prose(s.Description)}
	if len(s.Enum) > 0 {
		said = append(said, "One of "+list(s.Enum)+".")
	}
	if s.Default != nil {
		said = append(said, "Default: "+code(s.Default)+".")
	}
	if nested {
		for _, v := range s.Validations {
			said = append(said, "Refused: "+strings.TrimSuffix(v.Message, ".")+".")
		}
	}
	said = slices.DeleteFunc(said, func(s string) bool { return s == "" })
	return strings.ReplaceAll(strings.Join(said, " "), "|", `\|`)
}

func list(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = code(v)
	}
	return strings.Join(texts, ", ")
}

func code(value any) string {
	if text, is := value.(string); is {
		return "`" + text + "`"
	}
	text, _ := json.Marshal(value) // it was JSON
	return "`" + string(text) + "`"
}

// prose is a comment without its line breaks.
func prose(text string) string { return strings.Join(strings.Fields(text), " ") }
