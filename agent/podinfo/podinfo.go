package podinfo

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// Annotations are those of the pod. A nil map is of a pod that has none.
type Annotations map[string]string

// maxBytes is more than the annotations of a pod can have: the API server allows 256 KiB, and each
// byte may be written as four.
const maxBytes = 2 << 20

// Read reads the file. The kubelet replaces it as a whole, so it is never read half.
func Read(path string) (Annotations, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxBytes))
	if err != nil {
		return nil, err
	}
	return Parse(string(text))
}

// Parse reads one line for each annotation: key="value", the value quoted as Go does. A line that is
// none is named, and the others count all the same.
func Parse(text string) (Annotations, error) {
	all := Annotations{}
	var wrong []error
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			continue
		}
		key, quoted, found := strings.Cut(line, "=")
		value, err := strconv.Unquote(quoted)
		if !found || key == "" || err != nil {
			wrong = append(wrong, fmt.Errorf("%.80q is no annotation", line))
			continue
		}
		all[key] = value
	}
	return all, errors.Join(wrong...)
}
