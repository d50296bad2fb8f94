package operator

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// conditionIs is an error unless a condition of an ElasticJob has a status and a reason, and its sentence says
// what is wanted.
func conditionIs(job *v1alpha1.ElasticJob, condition string, status metav1.ConditionStatus, reason string,
	says ...string) error {
	c := meta.FindStatusCondition(job.Status.Conditions, condition)
	if c == nil {
		return fmt.Errorf("ElasticJob %q has no condition %s", job.Name, condition)
	}
	problem := errors.Join(world.Want(condition, c.Status, status), world.Want("reason", c.Reason, reason))
	for _, text := range says {
		if !strings.Contains(c.Message, text) {
			problem = errors.Join(problem, fmt.Errorf("the message %q does not say %q", c.Message, text))
		}
	}
	return problem
}

// refused is an error unless Takt leaves a job alone for a reason, and says what to do about it.
func refused(job *v1alpha1.ElasticJob, reason string, says ...string) error {
	return conditionIs(job, v1alpha1.ConditionAdmitted, metav1.ConditionFalse, reason, says...)
}
