package wrapping

import (
	"encoding/json"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// FaultAnnotation is on a job whose agent could not be installed: it is run without, as long as the image is the same.
const FaultAnnotation = "takt.dev/agent-fault"

// Intent is what is to become of the agent in the templates of a job.
type Intent struct {
	// Image is that of the agent which starts the training of a job that begins anew, or could not; empty for none.
	Image string
	// LetsInWithin is how long it may take until new pods are let in.
	LetsInWithin time.Duration
	// Fault is why a job that was begun with the agent is run without it. It is kept on the job.
	Fault string
}

// Default is what holds for jobs, as the owner of the cluster has it.
type Default struct {
	Image     string // empty for no agent at all
	ByDefault bool   // whether jobs get it that do not say
	// LetsInWithin is how long it may take until new pods are let in.
	LetsInWithin time.Duration
}

// For is what is to become of a job, which may say whether it wants the agent, and may carry the word that it could not
// be installed.
func (d Default) For(job types.UID, says *bool, faulty string) Intent {
	wants := d.ByDefault
	if says != nil {
		wants = *says
	}
	if f, kept := DecodeFault(job, faulty); !wants || kept && f.Image == d.Image {
		return Intent{LetsInWithin: d.LetsInWithin}
	}
	return Intent{Image: d.Image, LetsInWithin: d.LetsInWithin}
}

// Fault is what is kept on a job whose agent could not be installed.
type Fault struct {
	// Job is the UID of that job. What came along with a copied manifest carries another, and says nothing.
	Job   types.UID `json:"job"`
	Image string    `json:"image"`
	Said  string    `json:"said"`
}

// Encode writes it down, for FaultAnnotation.
func (f Fault) Encode() (string, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return "", fmt.Errorf("write down why the agent was not installed: %w", err)
	}
	return string(text), nil
}

// DecodeFault reads what Encode wrote for this job.
func DecodeFault(job types.UID, text string) (Fault, bool) {
	var f Fault
	if text == "" || json.Unmarshal([]byte(text), &f) != nil || f.Job != job {
		return Fault{}, false
	}
	return f, true
}
