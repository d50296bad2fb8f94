package records

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
)

// mostText is more than any text that Encode writes, unpacked: another that somebody has put in its place does not fill
// the memory.
const mostText = 64 << 20

// Encode writes records down, one a line, and packs them.
func Encode(all []Record) ([]byte, error) {
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	lines := json.NewEncoder(zip)
	for _, r := range all {
		if err := lines.Encode(r.bounded()); err != nil {
			return nil, fmt.Errorf("writing down job %s/%s: %w", r.Namespace, r.Name, err)
		}
	}
	if err := zip.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// Decode reads what Encode has written. A line that makes no sense is left out, and counted; what comes after a place
// where the text breaks off is lost.
func Decode(packed []byte) (all []Record, bad int) {
	if len(packed) == 0 {
		return nil, 0
	}
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, 1
	}
	lines := bufio.NewScanner(io.LimitReader(zip, mostText))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r Record
		if json.Unmarshal(lines.Bytes(), &r) != nil || r.UID == "" || r.Ended.IsZero() {
			bad++
			continue
		}
		all = append(all, r.bounded())
	}
	if lines.Err() != nil {
		bad++
	}
	return all, bad
}
