package results

import (
	"maps"
	"slices"
	"strings"
)

const sectionMark = "\n## "

// Merge is a page with new sections in the places of those with the same headings. Sections that were not
// measured anew stay.
func Merge(preface, before, measured string) string {
	sections := map[string]string{}
	for _, text := range []string{before, measured} {
		for i, section := range strings.Split(text, sectionMark) {
			if i > 0 {
				title, _, _ := strings.Cut(section, "\n")
				sections[title] = strings.TrimRight(section, "\n")
			}
		}
	}
	var page strings.Builder
	page.WriteString(preface)
	for _, title := range slices.Sorted(maps.Keys(sections)) {
		page.WriteString(sectionMark + sections[title] + "\n")
	}
	return page.String()
}
