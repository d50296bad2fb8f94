package page

import (
	"math"
	"strconv"
	"strings"
)

// round keeps two digits: a hundredth of a pixel.
func round(x float64) float64 { return math.Round(x*100) / 100 }

func digits(x float64) string { return strconv.FormatFloat(round(x), 'f', -1, 64) }

// path is the outline of a shape, in the language of SVG. Numbers take most of a page, so they are
// written as short as can be.
type path struct{ text strings.Builder }

func newPath(x, y float64) *path {
	p := &path{}
	p.move(x, y)
	return p
}

func (p *path) move(x, y float64)    { p.text.WriteString("M" + digits(x) + " " + digits(y)) }
func (p *path) horizontal(x float64) { p.text.WriteString("H" + digits(x)) }
func (p *path) vertical(y float64)   { p.text.WriteString("V" + digits(y)) }

func (p *path) close() string {
	p.text.WriteString("Z")
	return p.text.String()
}

// box is a rectangle on a chart.
type box struct{ left, top, right, bottom float64 }

func (b box) width() float64  { return b.right - b.left }
func (b box) height() float64 { return b.bottom - b.top }

// outline is the path around boxes.
func outline(boxes []box) string {
	var text strings.Builder
	for _, b := range boxes {
		p := newPath(b.left, b.top)
		p.horizontal(b.right)
		p.vertical(b.bottom)
		p.horizontal(b.left)
		text.WriteString(p.close())
	}
	return text.String()
}
