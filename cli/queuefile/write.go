package queuefile

import (
	"fmt"
	"os"

	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Write writes queues into a new file: their shares alone, to be changed and read again.
func Write(path string, queues Queues) error {
	text := []byte{}
	for _, q := range queues {
		object := map[string]any{
			"apiVersion": v1alpha1.GroupVersion.String(), "kind": "TrainingQueue",
			"metadata": map[string]any{"name": q.Name}, "spec": q.Spec,
		}
		one, err := yaml.Marshal(object)
		if err != nil {
			return fmt.Errorf("writing TrainingQueue %s: %w", q.Name, err)
		}
		text = append(append(text, "---\n"...), one...)
	}
	return os.WriteFile(path, text, 0o600)
}
