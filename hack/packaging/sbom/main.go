// Command sbom writes which modules programs are made of, as an SPDX document. It asks the programs themselves, so that
// it tells what is in them, and not what was to be.
package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

func main() {
	version := flag.String("version", "", "version of Takt, such as v0.1.0")
	created := flag.Int64("created", 0, "when it was released, in seconds since 1970")
	flag.Parse()
	if err := run(os.Stdout, *version, time.Unix(*created, 0), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(to io.Writer, version string, created time.Time, programs []string) error {
	if version == "" || len(programs) == 0 {
		return fmt.Errorf("give --version, and the programs that it is about")
	}
	d := newDocument(version, created)
	var platforms []string
	for _, program := range programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return err
		}
		if err := d.add(filepath.Base(program), version, info); err != nil {
			return err
		}
		platforms = append(platforms, platform(info))
	}
	platforms = slices.Compact(platforms)
	if len(platforms) > 1 {
		return fmt.Errorf("the programs are for several platforms: %s", strings.Join(platforms, ", "))
	}
	d.Name += "-" + platforms[0]
	d.DocumentNamespace += "/" + platforms[0] // no two documents may have the same
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	return encoder.Encode(d)
}

// document is the part of SPDX 2.3 that says what consists of what.
type document struct {
	SPDXVersion       string         `json:"spdxVersion"`
	DataLicense       string         `json:"dataLicense"`
	SPDXID            string         `json:"SPDXID"`
	Name              string         `json:"name"`
	DocumentNamespace string         `json:"documentNamespace"`
	CreationInfo      creation       `json:"creationInfo"`
	Packages          []part         `json:"packages"`
	Relationships     []relationship `json:"relationships"`
}

type creation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type part struct {
	SPDXID           string      `json:"SPDXID"`
	Name             string      `json:"name"`
	VersionInfo      string      `json:"versionInfo,omitempty"`
	DownloadLocation string      `json:"downloadLocation"`
	FilesAnalyzed    bool        `json:"filesAnalyzed"`
	Checksums        []checksum  `json:"checksums,omitempty"`
	ExternalRefs     []reference `json:"externalRefs,omitempty"`
}

type checksum struct {
	Algorithm string `json:"algorithm"`
	Value     string `json:"checksumValue"`
}

type reference struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type relationship struct {
	Element string `json:"spdxElementId"`
	Type    string `json:"relationshipType"`
	Related string `json:"relatedSpdxElement"`
}

const self = "SPDXRef-DOCUMENT"

func newDocument(version string, created time.Time) *document {
	return &document{
		SPDXVersion: "SPDX-2.3", DataLicense: "CC0-1.0", SPDXID: self, Name: "takt-" + version,
		DocumentNamespace: "https://github.com/takt-dev/takt/releases/" + version + "/sbom",
		CreationInfo:      creation{Created: created.UTC().Format(time.RFC3339), Creators: []string{"Organization: Takt"}},
	}
}

// add tells what a program is made of. It fails for a part of which nobody could look up what it is.
func (d *document) add(program, version string, info *buildinfo.BuildInfo) error {
	id := d.part(part{Name: program, VersionInfo: version})
	d.Relationships = append(d.Relationships, relationship{self, "DESCRIBES", id})
	contains := func(p part) { d.Relationships = append(d.Relationships, relationship{id, "CONTAINS", d.part(p)}) }
	contains(part{Name: "stdlib", VersionInfo: strings.TrimPrefix(info.GoVersion, "go"),
		ExternalRefs: goPackage("stdlib", strings.TrimPrefix(info.GoVersion, "go"))})
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		if strings.HasPrefix(module.Path, ".") { // a part of this repository
			continue
		}
		checksums := sum(module)
		if module.Version == "" || checksums == nil {
			return fmt.Errorf("nobody can tell which %s is in %s: build it with a version of that", module.Path, program)
		}
		contains(part{Name: module.Path, VersionInfo: module.Version, Checksums: checksums,
			ExternalRefs: goPackage(module.Path, module.Version)})
	}
	return nil
}

// platform is what a program was built for, such as linux-arm64.
func platform(info *buildinfo.BuildInfo) string {
	settings := map[string]string{}
	for _, setting := range info.Settings {
		settings[setting.Key] = setting.Value
	}
	return settings["GOOS"] + "-" + settings["GOARCH"]
}

var notInAnID = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

// part adds one that is not there yet, and gives what it is called.
func (d *document) part(p part) string {
	p.SPDXID = "SPDXRef-" + notInAnID.ReplaceAllString(p.Name+"-"+p.VersionInfo, "-")
	p.DownloadLocation = "NOASSERTION"
	for _, known := range d.Packages {
		if known.SPDXID == p.SPDXID {
			return p.SPDXID
		}
	}
	d.Packages = append(d.Packages, p)
	return p.SPDXID
}

// goPackage names a module as scanners look for it: in lower case, and a + in a version would be a blank to some.
func goPackage(path, version string) []reference {
	return []reference{{"PACKAGE-MANAGER", "purl",
		"pkg:golang/" + strings.ToLower(path) + "@" + strings.ReplaceAll(version, "+", "%2B")}}
}

// sum is the hash by which Go knows a module: SHA-256, of a list of the hashes of its files.
func sum(module *debug.Module) []checksum {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(module.Sum, "h1:"))
	if err != nil || len(raw) == 0 {
		return nil
	}
	return []checksum{{"SHA256", hex.EncodeToString(raw)}}
}
