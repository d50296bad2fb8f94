// Command chart writes what the schema of the chart's values says of the settings of the operator, from these settings
// themselves: helm then refuses a key that is none, and a value of another type, before anything is installed.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

func main() {
	if err := run("charts/takt/values.schema.json"); err != nil {
		fmt.Fprintln(os.Stderr, "chart:", err)
		os.Exit(1)
	}
}

func run(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	written, err := rewrite(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(written), 0o644)
}

// Where the settings are among the values. All else is written by hand.
const (
	begins = "\n    \"settings\": {\n"
	ends   = "\n    },\n"
)

// rewrite gives the schema with the settings as they are now.
func rewrite(schema string) (string, error) {
	before, rest, begun := strings.Cut(schema, begins)
	_, after, ended := strings.Cut(rest, ends)
	if !begun || !ended {
		return "", errors.New("no object \"settings\" is among its properties, indented by four")
	}
	return before + begins + settingsObject("      ") + ends + after, nil
}
