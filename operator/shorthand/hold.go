package shorthand

import (
	"strings"

	"k8s.io/apimachinery/pkg/types"
)

// byHand begins what Takt writes in HoldAnnotation; the UID of the job comes after it. An annotation that came along
// with a copied manifest carries another UID, and says nothing.
const byHand = "by-hand"

// HeldByHand is the value of HoldAnnotation by which Takt notes that somebody has given this job its size.
func HeldByHand(job types.UID) string { return byHand + "/" + string(job) }

// Holds says that the size of a job stays: somebody has written so, whatever the value is, or Takt has, for this job.
func Holds(job types.UID, annotated map[string]string) bool {
	value, there := annotated[HoldAnnotation]
	noted, of, tied := strings.Cut(value, "/")
	return there && (noted != byHand || !tied || of == string(job))
}

// NotedHold says that Takt has written HoldAnnotation, for whichever job.
func NotedHold(annotated map[string]string) bool {
	noted, _, _ := strings.Cut(annotated[HoldAnnotation], "/")
	return noted == byHand
}
