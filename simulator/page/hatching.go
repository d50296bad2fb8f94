package page

import "strings"

// hatching is lines over a whole chart, which are cut to the shapes that they fill. Patterns of SVG
// would do the same, but browsers print each of their uses as a picture of its own.
type hatching struct{ Rising, Falling, Level string }

// The distance between lines.
const (
	apart      = 8
	levelApart = 3
)

func newHatching(width, height int) hatching {
	var rising, falling, level strings.Builder
	side := digits(float64(height))
	for x := -height; x < width; x += apart {
		from := digits(float64(x))
		rising.WriteString("M" + from + " " + side + "l" + side + " -" + side)
		falling.WriteString("M" + from + " 0l" + side + " " + side)
	}
	for y := 1; y < height; y += levelApart {
		level.WriteString("M0 " + digits(float64(y)) + "H" + digits(float64(width)))
	}
	return hatching{rising.String(), falling.String(), level.String()}
}
