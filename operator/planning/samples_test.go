package planning_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/shares"
)

const samplesFolder = "../../config/samples"

// sampleObjects are the samples that kubectl apply -k makes, as strictly read as an API server reads them, in a
// namespace like any other.
func sampleObjects(t *testing.T) []client.Object {
	t.Helper()
	var list struct{ Resources []string }
	read(t, filepath.Join(samplesFolder, "kustomization.yaml"), &list)
	var all []client.Object
	for _, name := range list.Resources {
		file := filepath.Join(samplesFolder, name)
		var kind metav1.TypeMeta
		if text, err := os.ReadFile(file); err != nil || yaml.Unmarshal(text, &kind) != nil {
			t.Fatalf("%s cannot be read: %v", file, err)
		}
		object, known := map[string]client.Object{
			"ElasticJob": &v1alpha1.ElasticJob{}, "TrainingQueue": &v1alpha1.TrainingQueue{},
			"TrainingProfile": &v1alpha1.TrainingProfile{}, "PyTorchJob": &kubeflow.PyTorchJob{},
		}[kind.Kind]
		if !known {
			t.Fatalf("%s is a %s", file, kind.Kind)
		}
		read(t, file, object)
		if kind.Kind != "TrainingQueue" {
			object.SetNamespace("team")
		}
		object.SetUID(types.UID(name))
		object.SetCreationTimestamp(metav1.NewTime(fixture.Start))
		all = append(all, object)
	}
	return all
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, isObject := into.(client.Object); isObject {
		err = yaml.UnmarshalStrict(text, into)
	} else {
		err = yaml.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// Who applies the samples to a small cluster sees the job start: its namespace may use the queue, and the
// ElasticJob beside it says what is written on the job.
func TestSamplesWorkAsTheyAre(t *testing.T) {
	objects := sampleObjects(t)
	o := fixture.Stopped(t, interceptor.Funcs{}, append(objects, fixture.Node("node", "4"),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}})...)
	var ejs v1alpha1.ElasticJobList
	if err := o.Client.List(t.Context(), &ejs); err != nil || len(ejs.Items) != 1 {
		t.Fatalf("there are %d ElasticJobs: %v", len(ejs.Items), err)
	}
	s, err := o.View.Look(t.Context(), &ejs.Items[0])
	if err != nil || s.Object == nil {
		t.Fatalf("the ElasticJob has no job: %v", err)
	}
	if refused, err := o.View.Refuse(t.Context(), s); refused != nil || err != nil {
		t.Fatalf("the job is left alone: %v, %v", refused, err)
	}
	if least, most := s.Sizes(); least < 1 || most > 8 || !s.Job.Suspended {
		t.Errorf("it may have %d to %d workers, suspended %t", least, most, s.Job.Suspended)
	}
	said := shorthand.Read(s.Job.Labels, s.Job.Annotations, o.Settings.Zone())
	if len(said.Faults) > 0 || said.Fields[shorthand.Queue] != s.ElasticJob.Spec.Queue {
		t.Errorf("on the job is written %v, wrong is %v, and the ElasticJob is of queue %s", said.Fields, said.Faults,
			s.ElasticJob.Spec.Queue)
	}
	if _, err := o.Planner.Plan(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := fixture.Get(t, o, s.ElasticJob.Name+"-1", &v1alpha1.Resize{}); r.Spec.From != 0 || r.Spec.To < 1 {
		t.Errorf("it does not start: %+v", r.Spec)
	}
}

// The sample queue takes nothing from those who are there: what is promised on all GPUs of a small cluster is kept.
func TestSampleQueueBreaksNoPromise(t *testing.T) {
	for _, object := range sampleObjects(t) {
		queue, is := object.(*v1alpha1.TrainingQueue)
		if !is {
			continue
		}
		nodes := []elastic.Node{{Name: "node", GPUs: 4}}
		deadline := elastic.Seconds(1000)
		decision := elastic.Plan(elastic.Snapshot{
			Nodes: nodes, Queues: shares.Of([]*v1alpha1.TrainingQueue{queue, shares.Default()}, nodes),
			Jobs: []elastic.Job{{
				Name: "there", Queue: "default", Deadline: &deadline, Left: 3900, Workers: 4, On: []string{
					"node", "node", "node", "node",
				},
				Promised: true, Reserved: []elastic.Span{{To: 975, Workers: 4}}, Sizes: []elastic.Size{{Workers: 4, Speed: 4}},
			}},
		})
		if o := decision.Jobs[0]; o.Verdict != elastic.OnTrack {
			t.Errorf("with queue %s a job that was promised is %s: %s", queue.Name, o.Verdict, o.Message)
		}
	}
}

// What the documents say to write on a job can be read.
func TestJobsInTheDocumentsAreReadable(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```")
	found := 0
	for _, file := range []string{"../../README.md", "../../docs/using.md", "../../docs/scheduler.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range blocks.FindAllSubmatch(text, -1) {
			for document := range bytes.SplitSeq(block[1], []byte("\n---\n")) {
				var job metav1.PartialObjectMetadata
				if err := yaml.Unmarshal(document, &job); err != nil {
					t.Errorf("%s: %v", file, err)
				}
				if !strings.HasPrefix(job.APIVersion, "kubeflow.org/") {
					continue
				}
				found++
				if said := shorthand.Read(job.Labels, job.Annotations, nil); len(said.Faults) > 0 || !said.Asks {
					t.Errorf("%s: Takt reads %+v off %s", file, said, document)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no document shows a job")
	}
}
