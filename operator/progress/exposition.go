package progress

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

const (
	// maxLine and maxSeries bound what is kept of an exposition, whatever its length.
	maxLine   = 64 << 10
	maxSeries = 1000
)

// series are the samples of some metrics, by name.
type series map[string][]*dto.Metric

// parseExposition reads the samples of the metrics that are named from the Prometheus text format.
// Only their lines reach the parser, so that what else there is costs no memory.
func parseExposition(from io.Reader, names []string) (series, error) {
	lines := bufio.NewReaderSize(from, maxLine)
	var wanted bytes.Buffer
	for count := 0; ; {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, fail(ErrGarbage, "it has a line of more than %d bytes", maxLine)
		}
		if slices.Contains(names, metricName(line)) {
			if count++; count > maxSeries {
				return nil, fail(ErrGarbage, "it has more than %d series of %s", maxSeries, metricName(line))
			}
			wanted.Write(line)
			if err != nil {
				wanted.WriteByte('\n')
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(&wanted)
	if err != nil {
		return nil, &fault{kind: ErrGarbage, message: "it is not in the Prometheus text format", cause: err}
	}
	all := series{}
	for name, family := range families {
		all[name] = family.GetMetric()
	}
	return all, nil
}

// metricName is the name of the metric whose sample a line is.
func metricName(line []byte) string {
	line = bytes.TrimLeft(line, " \t")
	if end := bytes.IndexAny(line, "{ \t\r\n"); end >= 0 {
		line = line[:end]
	}
	return string(line)
}

// furthest is the sample of a metric with the highest value: of several processes in a pod, the one
// that is furthest. It is nil if there is none, and fails if one is no number.
func (s series) furthest(name string) (*dto.Metric, error) {
	var best *dto.Metric
	for _, metric := range s[name] {
		value := metric.GetUntyped().GetValue()
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return nil, fail(ErrLie, "%s is %v, which is no number to count with", name, value)
		}
		if best == nil || value > best.GetUntyped().GetValue() {
			best = metric
		}
	}
	return best, nil
}

// moment is the metric's value as a time in seconds since 1970; zero if it is absent or 0.
func (s series) moment(name string) (time.Time, error) {
	metric, err := s.furthest(name)
	if err != nil || metric == nil {
		return time.Time{}, err
	}
	seconds := metric.GetUntyped().GetValue()
	if seconds == 0 {
		return time.Time{}, nil
	}
	const year9999 = 253402300799
	if seconds < 0 || seconds > year9999 {
		return time.Time{}, fail(ErrLie, "%s is %g, which is no time in seconds since 1970", name, seconds)
	}
	whole, part := math.Modf(seconds)
	return time.Unix(int64(whole), int64(part*1e9)).UTC(), nil
}
