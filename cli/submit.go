package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/cli/submit"
	"github.com/takt-dev/takt/cli/usage"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/version"
)

// How far a submission goes.
const (
	reallyDo = "none"
	onClient = "client"
	onServer = "server"
)

// submission is what takt submit is asked for.
type submission struct {
	cluster      access.Options
	wishes       submit.Wishes
	file, dryRun string
	form         *string
}

func submitCommand() *cobra.Command {
	s := &submission{dryRun: reallyDo}
	cmd := &cobra.Command{
		Use:   "submit -f JOB.YAML --deadline WHEN",
		Short: "Submit a training job with a deadline",
		Long: `Submit a ` + written.Names + ` with a deadline: what Takt is to do with it
is written on the job, and it is created suspended, so that Takt starts it at the right
size. A value that makes no sense is refused before the job is created. A job that Takt
leaves alone, as one without GPUs, starts as it is written after all.

The file stays as it is. kubectl apply does the same for a job on which that is written
already: ` + version.OfRelease().Page("using.md") + ` says what may be.`,
		Example: `  takt submit -f job.yaml --deadline 6h
  takt submit -f job.yaml --deadline 2026-11-21T18:00:00Z --queue research --workers 1-8
  takt submit -f job.yaml --deadline 6h --dry-run -o yaml`,
		Args: usage.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.file == "" {
				return usage.Misuse("-f is missing: give the file with the job, or - for standard input")
			}
			return s.run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&s.file, "filename", "f", "", "`file` with the job, YAML or JSON; - is standard input")
	flags.StringVar(&s.wishes.Deadline, "deadline", "", "`when` it must be finished: 6h from now, or 2026-11-21T18:00:00Z")
	flags.StringVar(&s.wishes.Queue, "queue", "", "the `name` of the TrainingQueue whose GPUs it uses")
	flags.StringVar(&s.wishes.Priority, "priority", "",
		"a `number`: it goes before those of its queue with a lower one (0)")
	flags.StringVar(&s.wishes.Workers, "workers", "", "`sizes` that it may have, such as 1-8, 1,2,4,8 or \"8-64 by 8\"")
	usage.Choose(cmd, &s.wishes.Guarantee, "guarantee", "", "Promise has it start only once its deadline is promised",
		string(v1alpha1.GuaranteeBestEffort), string(v1alpha1.GuaranteePromise))
	flags.StringVar(&s.wishes.Profile, "profile", "", "the `name` under which runs of the same code share what is learned")
	flags.StringVar(&s.wishes.Expected, "expected", "",
		"the `time` that the training is expected to take, such as \"6h at 4 workers\"")
	flags.StringVar(&s.wishes.After, "after", "",
		"the `names` of jobs that have to succeed before it starts, such as \"prepare pretrain\"")
	flags.BoolVar(&s.wishes.AtOnce, "at-once", false, "let it start as it is written, before Takt has found its size")
	usage.Choose(cmd, &s.dryRun, "dry-run", "", "print the job instead; server has the API server check it",
		reallyDo, onClient, onServer)
	flags.Lookup("dry-run").NoOptDefVal = onClient
	s.form = printed(cmd, asText, usage.AsYAML, usage.AsJSON)
	s.cluster.BindOperatorNamespace(flags)
	return prepare(cmd, &s.cluster)
}

func (s *submission) run(ctx context.Context, stdin io.Reader, w io.Writer) error {
	job, err := s.read(stdin)
	if err != nil {
		return err
	}
	if err := s.place(job); err != nil {
		return err
	}
	if err := s.wishes.Write(job, time.Now()); err != nil {
		return err
	}
	if s.dryRun == onClient {
		if *s.form == asText {
			*s.form = usage.AsYAML
		}
		_, err := show.Structured(w, *s.form, job.Object)
		return err
	}
	c, err := s.cluster.Open()
	if err != nil {
		return err
	}
	if job.GetNamespace() == "" {
		job.SetNamespace(c.Namespace)
	}
	if err := c.Ready(ctx, job.GetNamespace(), submit.Queue(job), s.wishes.AtOnce); err != nil {
		return err
	}
	absent := c.Absent(ctx, job.GetNamespace(), submit.After(job))
	options := []client.CreateOption{client.FieldOwner("takt")}
	if s.dryRun == onServer {
		options = append(options, client.DryRunAll)
	}
	if err := c.Client.Create(ctx, job, options...); err != nil {
		return c.Explain(err)
	}
	if done, err := show.Structured(w, *s.form, job.Object); done {
		return err
	}
	return s.told(w, job, absent)
}

// place gives a job the namespace that -n names, and refuses one that is written for another.
func (s *submission) place(job *unstructured.Unstructured) error {
	switch chosen, has := s.cluster.Chosen(), job.GetNamespace(); {
	case chosen == "" || chosen == has:
	case has == "":
		job.SetNamespace(chosen)
	default:
		return usage.Misuse("the manifest is for namespace %s, and -n names %s: leave -n out, or change the manifest", has,
			chosen)
	}
	return nil
}

func (s *submission) read(stdin io.Reader) (*unstructured.Unstructured, error) {
	if s.file == "-" {
		return submit.Read(stdin)
	}
	file, err := os.Open(s.file)
	if err != nil {
		return nil, fmt.Errorf("%w: -f has to name the file with the job, or be - for standard input", err)
	}
	defer file.Close()
	return submit.Read(file)
}

// told says what comes next. Absent are jobs that it waits for, and that are not there yet.
func (s *submission) told(w io.Writer, job *unstructured.Unstructured, absent []string) error {
	of := job.GetKind() + "/" + job.GetName()
	if s.dryRun == onServer {
		fmt.Fprintf(w, "%s would be created: the API server accepts it. Nothing was changed.\n", of)
		waits(w, job, absent)
		return nil
	}
	starts := "Takt starts it once its size is found."
	switch _, marked := job.GetAnnotations()[written.HeldAnnotation]; {
	case s.wishes.AtOnce:
		starts = "It starts as it is written."
	case marked:
		starts += " Should Takt leave it alone, it starts as it is written."
	}
	fmt.Fprintf(w, "%s is created in namespace %s. %s\n", of, job.GetNamespace(), starts)
	waits(w, job, absent)
	show.Say(w, "See takt why %s -n %s, or takt list --watch -n %s.\n", job.GetName(), job.GetNamespace(),
		job.GetNamespace())
	return nil
}

// waits tells of jobs that have to succeed before, and are not there yet: they may be misspelt.
func waits(w io.Writer, job *unstructured.Unstructured, absent []string) {
	if len(absent) > 0 {
		fmt.Fprintf(w, "It waits for %s, and namespace %s has no such job yet: submit that too, or mend its name in %s.\n",
			strings.Join(absent, " and "), job.GetNamespace(), shorthand.AfterAnnotation)
	}
}
