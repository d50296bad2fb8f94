// Command dashboards makes the dashboards of config/monitoring from their descriptions beside this file: what Grafana
// wants to have said of a panel is long, and alike for all of a sort. A panel is one line of a dashboard.
package main

import (
	"bytes"
	"flag"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	from, to := flag.String("from", ".", "the folder of the descriptions"),
		flag.String("to", "", "the folder of the dashboards")
	flag.Parse()
	paths, err := filepath.Glob(filepath.Join(*from, "*.yaml"))
	if err != nil || len(paths) == 0 {
		log.Fatalf("There are no descriptions in %s (%v).", *from, err)
	}
	for _, path := range paths {
		name := "takt-" + strings.TrimSuffix(filepath.Base(path), ".yaml")
		made, err := makeDashboard(path, name)
		if err == nil {
			err = os.WriteFile(filepath.Join(*to, name+".json"), made, 0o644) //nolint:gosec // everyone may read it
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

func makeDashboard(path, uid string) ([]byte, error) {
	b, err := read(path)
	if err != nil {
		return nil, err
	}
	var made bytes.Buffer
	err = write(&made, b.dashboard(uid), b.panels())
	return made.Bytes(), err
}
