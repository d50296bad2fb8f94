package page

import (
	"encoding/xml"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// palettes are the colours of the page by day and by night, by their names.
func palettes(t *testing.T) map[string]map[string]colour {
	t.Helper()
	style, err := os.ReadFile("style.css")
	if err != nil {
		t.Fatal(err)
	}
	day, night, found := strings.Cut(string(style), "prefers-color-scheme: dark")
	if !found {
		t.Fatal("there are no colours for the dark")
	}
	all := map[string]map[string]colour{}
	for name, part := range map[string]string{"light": day, "dark": night} {
		all[name] = map[string]colour{}
		for _, is := range regexp.MustCompile(`--([a-z-]+): #([0-9a-f]{3,6});`).FindAllStringSubmatch(part, -1) {
			all[name][is[1]] = read(t, is[2])
		}
	}
	return all
}

// colour is red, green and blue, as much as there is of their light.
type colour [3]float64

func read(t *testing.T, hex string) (c colour) {
	t.Helper()
	if len(hex) == 3 {
		hex = strings.Repeat(hex[:1], 2) + strings.Repeat(hex[1:2], 2) + strings.Repeat(hex[2:], 2)
	}
	for i := range c {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		if c[i] = float64(n) / 255; c[i] <= 0.04045 {
			c[i] /= 12.92
		} else {
			c[i] = math.Pow((c[i]+0.055)/1.055, 2.4)
		}
	}
	return c
}

func (c colour) luminance() float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

// contrast is that of WCAG 2: 21 of black on white, 1 of a colour on itself.
func (c colour) contrast(other colour) float64 {
	light, dark := max(c.luminance(), other.luminance()), min(c.luminance(), other.luminance())
	return (light + 0.05) / (dark + 0.05)
}

// Text is read by people with little sight, and what is drawn is seen by them: WCAG 2.2 at its level AA.
func TestWhatIsShownHasEnoughContrast(t *testing.T) {
	for scheme, named := range palettes(t) {
		for pair, least := range map[string]float64{
			"text paper": 4.5, "soft paper": 4.5, "link paper": 4.5, "due paper": 4.5, "text panel": 4.5, "soft panel": 4.5,
			"bad bad-back": 4.5, "warn warn-back": 4.5, "good good-back": 4.5, "calm calm-back": 4.5,
			"line paper": 3, "line grid": 3,
		} {
			front, back, _ := strings.Cut(pair, " ")
			if got := named[front].contrast(named[back]); got < least {
				t.Errorf("%s, %s on %s: the contrast is %.1f, want %.1f", scheme, front, back, got, least)
			}
		}
	}
}

// dichromats are how much of each light people see who lack one kind of cone, as Machado, Oliveira and Fernandes have
// worked it out (2009).
var dichromats = map[string][3]colour{
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// seenBy is a colour as others see it.
func (c colour) seenBy(eyes [3]colour) (seen colour) {
	for i, of := range eyes {
		seen[i] = min(max(of[0]*c[0]+of[1]*c[1]+of[2]*c[2], 0), 1)
	}
	return seen
}

// apart is how different two colours look, in CIELAB: one that nobody mistakes for the other is some ten away.
func (c colour) apart(other colour) float64 {
	a, b := c.lab(), other.lab()
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

func (c colour) lab() [3]float64 {
	root := func(x float64) float64 {
		if x > 216.0/24389 {
			return math.Cbrt(x)
		}
		return (24389.0/27*x + 16) / 116
	}
	x := root((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.9505)
	y := root(c.luminance())
	z := root((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// Whoever is blind to some colours tells verdicts apart, and the deadline from what is expected.
func TestColoursAreToldApartByWhoIsBlindToSome(t *testing.T) {
	const apart = 10
	for scheme, named := range palettes(t) {
		for eyes, see := range dichromats {
			for _, pair := range []string{
				"bad-back warn-back", "bad-back good-back", "bad-back calm-back", "warn-back good-back", "warn-back calm-back",
				"line due", "fill paper", "fan paper",
			} {
				one, other, _ := strings.Cut(pair, " ")
				if got := named[one].seenBy(see).apart(named[other].seenBy(see)); got < apart {
					t.Errorf("%s, with %s: %s and %s are %.1f apart, want %d", scheme, eyes, one, other, got, apart)
				}
			}
		}
	}
}

// No two kinds of verdict have one sign, so that nobody needs colours at all.
func TestVerdictsAreToldApartWithoutColours(t *testing.T) {
	of := map[string]string{}
	for _, v := range verdicts {
		if class, known := of[v.Sign]; known && class != v.Class {
			t.Errorf("%s is the sign of what is %s, and of what is %s", v.Sign, class, v.Class)
		}
		of[v.Sign] = v.Class
		if v.Sign == "" || v.Word == "" {
			t.Errorf("%+v is told by its colour alone", v)
		}
	}
}

// Everything is reached with keys, in the order in which it is read, seen to have the focus, and has a name.
func TestThePageIsUsedWithoutAMouse(t *testing.T) {
	style, err := os.ReadFile("style.css")
	if err != nil {
		t.Fatal(err)
	}
	seen := regexp.MustCompile(`a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, ` +
		`\.scroll:focus-visible \{ outline: 3px`)
	if !seen.Match(style) || regexp.MustCompile(`outline: (none|0)`).Match(style) {
		t.Error("what has the focus is not seen")
	}
	const team = Path + "namespaces/team-a/"
	s := serve(t, append(resized("team-a", "resnet", 2, 4, 8, 4), elasticJob("team-a", "resnet"),
		elasticJob("team-b", "bert", atRisk), trainingQueue("research", 8))...)
	for _, path := range []string{Path, Path + "?q=nothing", team, team + "resnet"} {
		within := map[string]int{} // how many elements of a name are open
		keys := 0
		for _, e := range elements(t, page(t, s, path)) {
			switch e := e.(type) {
			case xml.StartElement:
				within[e.Name.Local]++
				keys += reached(t, path, e, within["label"] > 0)
			case xml.EndElement:
				within[e.Name.Local]--
			}
		}
		if keys < 4 {
			t.Errorf("%s: %d elements are reached, so that this shows nothing", path, keys)
		}
	}
}

// reached checks one element, and counts it if keys reach it.
func reached(t *testing.T, path string, e xml.StartElement, labelled bool) int {
	t.Helper()
	has := map[string]string{}
	for _, a := range e.Attr {
		has[a.Name.Local] = a.Value
		if strings.HasPrefix(a.Name.Local, "on") {
			t.Errorf("%s: <%s> does something by %s", path, e.Name.Local, a.Name.Local)
		}
	}
	if index, given := has["tabindex"]; given && index != "0" && index != "-1" {
		t.Errorf("%s: <%s> comes out of its turn", path, e.Name.Local)
	}
	switch name := e.Name.Local; {
	case name == "html" && has["lang"] == "":
		t.Errorf("%s: nobody knows in which language it is to be read", path)
	case name == "th" && has["scope"] == "":
		t.Errorf("%s: a head of a table heads nothing", path)
	case name == "svg" && has["aria-hidden"] != "true" && (has["role"] != "img" || has["aria-label"] == ""):
		t.Errorf("%s: a picture is not told to who does not see it", path)
	case has["class"] == "scroll":
		if has["tabindex"] != "0" || has["role"] != "region" || has["aria-labelledby"] == "" {
			t.Errorf("%s: what is scrolled cannot be scrolled with keys, or has no name: %v", path, has)
		}
		return 1
	case (name == "input" && has["type"] != "hidden" || name == "select") && !labelled:
		t.Errorf("%s: nobody is told what to give: %v", path, has)
	case name == "input" && has["type"] != "hidden", name == "select", name == "button":
		return 1
	case name == "a":
		if _, given := has["href"]; !given {
			t.Errorf("%s: a link is not reached with keys", path)
		}
		return 1
	}
	return 0
}

// elements are what a page is made of.
func elements(t *testing.T, text string) (all []xml.Token) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := d.Token()
		if token == nil {
			if len(all) < 50 {
				t.Fatalf("only %d elements are read: %v", len(all), err)
			}
			return all
		}
		all = append(all, xml.CopyToken(token))
	}
}
