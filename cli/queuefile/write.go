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
			return fmt.Errorf("TrainingQueue %s cannot be written: %w. See what it has: kubectl get trainingqueue %s -o yaml",
				q.Name, err, q.Name)
		}
		text = append(append(text, "---\n"...), one...)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return fmt.Errorf("%s cannot be written: %w. Name another folder with --to", path, err)
	}
	return nil
}
