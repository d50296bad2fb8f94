package doctor

import (
	"fmt"
	"strings"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/kind/written"
)

// Examine says what is found.
func Examine(f Facts) Findings {
	all := f.kinds()
	if f.OwnKinds.None() {
		return all // nothing else can be looked at
	}
	all = append(all, f.operator(), f.controller(), f.scheduler())
	all = append(all, f.snapshot())
	all = append(all, rights("your rights", f.Rights,
		"ask whoever runs the cluster for takt-view, takt-edit or, for the snapshot, takt-snapshot-reader.")...)
	all = append(all, rights("rights of takt-operator", f.OperatorRights,
		"apply anew what Takt was installed by, with its roles: "+f.Release.Apply("default")+" or helm upgrade, or where "+
			"Takt looks after some namespaces only, your kustomization of these.")...)
	return append(all, f.jobs()...)
}

func (f Facts) kinds() Findings {
	own := Finding{Level: OK, Subject: "kinds of Takt", Says: strings.Join(f.OwnKinds.Wanted, ", ") + " are there."}
	if len(f.OwnKinds.Missing) > 0 {
		own = Finding{
			Broken, "kinds of Takt", "the cluster has no " + strings.Join(f.OwnKinds.Missing, ", no ") + ".",
			f.Release.Apply("default") + " installs all of Takt, and so does its Helm chart.",
		}
	}
	training := Finding{
		Level: OK, Subject: "training jobs", Says: strings.Join(f.TrainingKinds.Wanted, " and ") + " are there.",
	}
	switch missing := f.TrainingKinds.Missing; {
	case f.TrainingKinds.None():
		training = Finding{
			Note, "training jobs", "the cluster has neither " + strings.Join(missing, " nor ") +
				", and Takt looks after " + written.Builtin + " alone.",
			"nothing, unless somebody wants to use them: install " + written.Product + ", and Takt goes on by itself.",
		}
	case len(missing) > 0:
		training = Finding{Note, "training jobs", "the cluster has no " + strings.Join(missing, ", no ") + ".",
			"nothing, unless somebody wants to use it: Takt looks after it once it is there."}
	}
	return Findings{{Level: OK, Subject: "Kubernetes", Says: f.Version + " answers."}, own, training}
}

func (f Facts) operator() Finding {
	const subject = "takt-operator"
	switch p := f.Operator; {
	case p.Hidden:
		return Finding{Unknown, subject, "you may not see whether it runs in namespace " + f.Namespace + ".",
			"ask whoever runs the cluster, or for the right to get leases and deployments there."}
	case !p.Found:
		return Finding{
			Broken, subject, "it is not in namespace " + f.Namespace + ", so nothing is planned and suspended jobs wait.",
			f.Release.Apply("default") + " installs it, and so does the Helm chart; or name another namespace with " +
				"--operator-namespace.",
		}
	case !p.Alive:
		return Finding{
			Broken, subject, fmt.Sprintf("%s, so nothing is planned; jobs that run go on.%s", heard(p, f.Now), p.replicas()),
			fmt.Sprintf("kubectl -n %s get pods, and kubectl -n %s logs deployment/takt-operator, say why.", f.Namespace,
				f.Namespace),
		}
	default:
		return Finding{Level: OK, Subject: subject, Says: fmt.Sprintf("%s leads.%s", p.Holder, p.replicas())}
	}
}

func heard(p Program, now time.Time) string {
	if p.Since.IsZero() {
		return "nobody leads"
	}
	return fmt.Sprintf("nobody has led for %s", elastic.Shorten(elastic.Seconds(now.Sub(p.Since).Seconds())))
}

func (p Program) replicas() string {
	if p.Wanted == 0 {
		return ""
	}
	return fmt.Sprintf(" %d of %d replicas are ready.", p.Ready, p.Wanted)
}

func (f Facts) controller() Finding {
	const subject = written.Controller
	switch {
	case f.TrainingKinds.None():
		return Finding{Unknown, subject, "there is nothing for it to do yet.", ""}
	case len(f.Unattended) > 0:
		return Finding{
			Broken, subject, "it has not looked at " + few(f.Unattended) +
				", made more than a minute ago, so no pods come of jobs.",
			fmt.Sprintf("see that %s runs (kubectl get deployments -A | grep %s), and looks after that namespace and kind.",
				written.Product, written.Controller),
		}
	}
	return Finding{Level: OK, Subject: subject, Says: "no job waits for it."}
}

func (f Facts) scheduler() Finding {
	const subject = "takt-scheduler"
	p := f.Scheduler
	switch {
	case p.Hidden:
		return Finding{Unknown, subject, "you may not see whether it runs in namespace " + f.Namespace + ".",
			"ask whoever runs the cluster, or for the right to get leases there."}
	case !p.Alive && len(f.NamesScheduler) > 0:
		return Finding{
			Broken, subject, "it does not run, and the pods of " + few(f.NamesScheduler) + " are to be placed by it.",
			f.Release.Apply("scheduler/beside") + " installs it, and so does scheduler.enabled=true with Helm; or take " +
				"schedulerName off these jobs.",
		}
	case !p.Alive:
		return Finding{Note, subject, "it is not installed: new workers are placed one by one, by whichever scheduler " +
			"their job names.",
			f.Release.Apply("scheduler/beside") + " has them placed all together or not at all, and so has " +
				"scheduler.enabled=true with Helm."}
	}
	return Finding{Level: OK, Subject: subject, Says: p.Holder + " leads."}
}

func (f Facts) snapshot() Finding {
	if f.Snapshot != "" {
		return Finding{Unknown, "snapshot", f.Snapshot + ".", "takt why and takt whatif do without, as far as they can."}
	}
	return Finding{Level: OK, Subject: "snapshot", Says: "you may see what the operator plans from."}
}

// rights is one finding if all are there, else one for each that is missing.
func rights(subject string, all []Right, do string) Findings {
	if len(all) == 0 {
		return Findings{{Unknown, subject, "they cannot be asked for.", ""}}
	}
	var missing Findings
	level := Note
	if strings.Contains(subject, "takt-operator") {
		level = Broken
	}
	for _, r := range all {
		if !r.May {
			missing = append(missing, Finding{level, subject, fmt.Sprintf("no right to %s, which %s needs.", r.What, r.For), do})
		}
	}
	if len(missing) > 0 {
		return missing
	}
	return Findings{{Level: OK, Subject: subject, Says: fmt.Sprintf("all %d that were asked for are there.", len(all))}}
}

// few names the first of many.
func few(names []string) string {
	const most = 5
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}
