package version

import "testing"

func TestWhatIsStampedCounts(t *testing.T) {
	if built := Of(); built == "" || built == "v1.2.3" {
		t.Errorf("a program without a stamp is %q", built)
	}
	stamped = "v1.2.3"
	defer func() { stamped = "" }()
	if got := Of(); got != "v1.2.3" {
		t.Errorf("a program with the stamp v1.2.3 is %q", got)
	}
}
