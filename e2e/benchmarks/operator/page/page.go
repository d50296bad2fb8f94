// Package page keeps a page of measurements, of which some sections are measured anew at a time.
package page

import (
	"maps"
	"slices"
	"strings"
)

const heading = "\n## "

// Merge is a page with new sections in the places of those with the same headings. Sections that were not
// measured anew stay.
func Merge(preface, before, measured string) string {
	sections := map[string]string{}
	for _, text := range []string{before, measured} {
		for i, section := range strings.Split(text, heading) {
			if i > 0 {
				title, _, _ := strings.Cut(section, "\n")
				sections[title] = strings.TrimRight(section, "\n")
			}
		}
	}
	var page strings.Builder
	page.WriteString(preface)
	for _, title := range slices.Sorted(maps.Keys(sections)) {
		page.WriteString(heading + sections[title] + "\n")
	}
	return page.String()
}
