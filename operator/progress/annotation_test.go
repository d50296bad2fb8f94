package progress

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/api/v1alpha1"
)

var sixOClock = time.Date(2026, 11, 21, 18, 0, 0, 0, time.UTC)

func TestAnnotationIsRead(t *testing.T) {
	cases := map[string]struct {
		text  string
		total v1alpha1.Decimal
		want  Sample
	}{
		"percent":             {text: "42%", want: Sample{Done: 0.42, Total: 1, Unit: Share}},
		"percent with places": {text: "42.5 %", want: Sample{Done: 0.425, Total: 1, Unit: Share}},
		"share":               {text: "0.25", want: Sample{Done: 0.25, Total: 1, Unit: Share}},
		"nothing":             {text: "0", want: Sample{Total: 1, Unit: Share}},
		"all":                 {text: "1", want: Sample{Done: 1, Total: 1, Unit: Share}},
		"count":               {text: "420/1000", want: Sample{Done: 420, Total: 1000}},
		"count with a unit":   {text: " 420 / 1000 steps ", want: Sample{Done: 420, Total: 1000, Unit: "steps"}},
		"count that is known": {text: "420", total: "1000", want: Sample{Done: 420, Total: 1000}},
		"one step":            {text: "1", total: "1000", want: Sample{Done: 1, Total: 1000}},
		"share beside total":  {text: "0.42", total: "1000", want: Sample{Done: 0.42, Total: 1, Unit: Share}},
		"with a time": {
			text: "42% at 2026-11-21T18:00:00Z", want: Sample{Done: 0.42, Total: 1, Unit: Share, At: sixOClock},
		},
		"with a unit and a time": {
			text: "3/10 epochs at 2026-11-21T19:00:00.000000001+01:00",
			want: Sample{Done: 3, Total: 10, Unit: "epochs", At: sixOClock.Add(1)},
		},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			target := Target{
				Annotations: map[string]string{ProgressAnnotation: test.text}, Spec: v1alpha1.ProgressSpec{Total: test.total},
			}
			got, err := Annotation{}.Read(t.Context(), target)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestBadAnnotationsSayWhatIsAllowed(t *testing.T) {
	for name, text := range map[string]string{
		"empty":                "",
		"word":                 "half",
		"negative":             "-1%",
		"exponent":             "1e9/1e10",
		"not a number":         "NaN",
		"infinite":             "Inf/Inf",
		"hexadecimal":          "0x10/0x20",
		"bare count":           "420",
		"up to nothing":        "420/0",
		"no done":              "/1000",
		"no total":             "420/",
		"three numbers":        "1/2/3",
		"two units":            "1/2 big steps",
		"unit of digits":       "1/2 3",
		"unit that is endless": "1/2 " + strings.Repeat("a", 33),
		"no time":              "42% at",
		"time without zone":    "42% at 2026-11-21T18:00:00",
		"time that is none":    "42% at noon",
		"endless":              strings.Repeat("9", 1<<20),
		"other digits":         "٤٢%",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Annotation{}.Read(t.Context(), Target{Annotations: map[string]string{ProgressAnnotation: text}})
			if !errors.Is(err, ErrGarbage) || !strings.Contains(err.Error(), "420/1000 steps") || len(err.Error()) > 400 {
				t.Errorf("%v does not say what is allowed", err)
			}
		})
	}
	if _, err := (Annotation{}).Read(t.Context(), Target{}); !errors.Is(err, ErrNone) {
		t.Errorf("without an annotation: %v", err)
	}
}

func FuzzAnnotation(f *testing.F) {
	for _, text := range []string{"42%", "0.42", "420/1000 steps at 2026-11-21T18:00:00.5Z", "1", " /% at ", "1/0"} {
		f.Add(text, 0.0)
		f.Add(text, 1000.0)
	}
	f.Fuzz(func(t *testing.T, text string, total float64) {
		if total < 0 || total > 1e15 || total != total {
			return
		}
		sample, ok := parseAnnotation(text, total)
		if !ok {
			return
		}
		// What is read is right but for being more than all, or in the future.
		sample.Done = min(sample.Done, sample.Total)
		sample.At = time.Time{}
		if err := check(sample, sixOClock); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}
