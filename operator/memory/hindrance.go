package memory

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/elastic/resize"
)

// Hindrance is why a job does not have the size that it is to have, or could do with, for the
// condition Resizing. The zero value is that nothing hinders it.
type Hindrance struct{ Reason, Message string }

// Reasons of hindrances.
const (
	ReasonQuota      = string(elastic.QuotaReached)
	ReasonNoNode     = string(elastic.NoNodeFits)
	ReasonInVain     = string(elastic.StartsInVain)
	ReasonNotFree    = "GPUsNotFreeYet"
	ReasonLastFailed = "LastResizeFailed"
	ReasonNonsense   = "CannotBeReckonedWith"
	ReasonStuck      = "NodeDoesNotAnswer"
	ReasonHeldBack   = "PodsHeldBack"
	ReasonLeaving    = "PodsNotGoneYet"
	ReasonNotTaken   = "NotTakenYet"
	ReasonCrowded    = "OthersStartBeside"
	ReasonUnnamed    = "GPUsNotNamed"
	ReasonUnplaced   = string(elastic.WorkersNotPlaced)
	ReasonCannotRun  = string(elastic.WorkersCannotRun)
	// ReasonYetToRun is that of a job of which a worker takes long to run.
	ReasonYetToRun = "WorkersYetToRun"
	// ReasonRefused is that of a job of which the API server refuses Resizes.
	ReasonRefused = "ResizeRefused"
	// ReasonOtherNodes is that of a job that runs on nodes which Takt does not hand out.
	ReasonOtherNodes = "OnOtherNodes"
	// ReasonByHand is that of a job whose size somebody has set.
	ReasonByHand = "SizeHeld"
	// ReasonPredecessor begins those of jobs that wait for others which will not succeed by themselves.
	ReasonPredecessor = "Predecessor"
)

// setsAside are those of jobs that take no part in a plan. Jobs that do may have the first as well.
var setsAside = []string{ReasonQuota, ReasonNoNode, ReasonUnplaced, ReasonCannotRun, ReasonNonsense, ReasonInVain}

// hindrances is what is remembered of what hinders a job.
type hindrances struct {
	withheld      Hindrance
	withheldSince time.Time
	roomSince     time.Time // since when there has been room for its workers, none of which has a node
	roomLeft      bool      // that was for so long that others have it
	strandedSince time.Time // since when none is left of the nodes to which Takt has kept its workers
	held          int       // how many workers have had nodes
	unmade        Unmade    // what its controller says of workers that are missing
	unmadeAt      time.Time // when that was asked; zero if it was not
	couldNotRun   time.Time // when it was stopped as workers of it could not run; zero if it was not
	hurdle        string    // why none could
	// refusedSince is since when Takt has left the job alone; zero while it looks after it.
	refusedSince time.Time
	// resizeRests is until when no Resize of it is made, as the API server has refused one.
	resizeRests time.Time
	// writeRefusedSince is since when the API server has refused what a Resize of it has to write next, and writeRefusedOf
	// the name of that.
	writeRefusedSince time.Time
	writeRefusedOf    string
}

// NotFree hinders a job that is to have so many workers.
func NotFree(workers elastic.Workers) Hindrance {
	return Hindrance{ReasonNotFree,
		fmt.Sprintf("It is to have %s as soon as the GPUs that are given back for it are free.", elastic.Count(workers))}
}

// Withhold remembers what hinders the job, and says whether that is news.
func (j *Job) Withhold(h Hindrance, at time.Time) (changed bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	changed = j.withheld != h
	if j.withheld.Reason != h.Reason || h.Reason == "" {
		j.withheldSince = at
	}
	j.withheld = h
	return changed
}

// RefusedSince is since when Takt has left the job alone.
func (j *Job) RefusedSince(now time.Time) time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.refusedSince.IsZero() {
		j.refusedSince = now
	}
	return j.refusedSince
}

// ResizeRefused remembers that the API server refuses a Resize of the job: until then none is made.
func (j *Job) ResizeRefused(until time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.resizeRests = until
}

// ResizeRestsUntil is until when no Resize of the job is made, as one was refused.
func (j *Job) ResizeRestsUntil() time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.resizeRests
}

// WriteRefusedSince is since when the API server has refused what a Resize of the job has to write next.
func (j *Job) WriteRefusedSince(resize string, now time.Time) time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.writeRefusedSince.IsZero() || j.writeRefusedOf != resize {
		j.writeRefusedOf, j.writeRefusedSince = resize, now
	}
	return j.writeRefusedSince
}

// WriteAccepted remembers that it takes it.
func (j *Job) WriteAccepted() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.writeRefusedSince = time.Time{}
}

// Accepted remembers that Takt looks after the job.
func (j *Job) Accepted() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.refusedSince = time.Time{}
}

// LeavesRoom remembers whether there is room for all workers of the job, none of which has a node, and says since when
// there has been, zero if there is none; and whether it has left its room to others.
func (j *Job) LeavesRoom(room bool, now time.Time) (since time.Time, left bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.roomLeft:
	case !room:
		j.roomSince = time.Time{}
	case j.roomSince.IsZero():
		j.roomSince = now
	}
	return j.roomSince, j.roomLeft
}

// Strand remembers whether the job is stranded, and says since when it is; zero if it is not.
func (j *Job) Strand(is bool, now time.Time) (since time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case !is:
		j.strandedSince = time.Time{}
	case j.strandedSince.IsZero():
		j.strandedSince = now
	}
	return j.strandedSince
}

// Stranded says that it is.
func (j *Job) Stranded() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return !j.strandedSince.IsZero()
}

// HasLeftRoom remembers that the job has left its room to others. That stays so until a worker has a node, though
// others have taken the room by then.
func (j *Job) HasLeftRoom() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.roomLeft = true
}

// UsesRoom remembers that the job has workers on nodes, or waits for nothing but GPUs.
func (j *Job) UsesRoom() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.roomSince, j.roomLeft = time.Time{}, false
	j.unmade, j.unmadeAt = Unmade{}, time.Time{}
}

// Hold remembers how many workers of the job have nodes, of as many as it is to have.
func (j *Job) Hold(now int, size resize.Workers) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.held = min(max(j.held, now), int(size))
}

// Held is how many workers have had nodes since the job was last to have fewer.
func (j *Job) Held() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.held
}

// Unmade is what the controller of a job says of pods that it cannot make, and since when. The zero value is that it
// says nothing.
type Unmade struct {
	Why   string
	Since time.Time
}

// HearsUnmade remembers what the controller of the job says of workers that are missing, asked at a moment.
func (j *Job) HearsUnmade(u Unmade, at time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.unmade, j.unmadeAt = u, at
}

// Unmade is what the controller of the job has said last of workers that are missing, and when that was asked; zero
// if it was not, since they are.
func (j *Job) Unmade() (u Unmade, asked time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.unmade, j.unmadeAt
}

// HinderedBy is what hinders the job at present.
func (j *Job) HinderedBy() Hindrance {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.withheld
}

// SetAside says that the job takes no part in the plan of this process, as something keeps it from using GPUs.
func (j *Job) SetAside() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.lastDecision() == nil && (slices.Contains(setsAside, j.withheld.Reason) ||
		strings.HasPrefix(j.withheld.Reason, ReasonPredecessor))
}

// Awaits is what the job waits for that was decided for it, if it has so many workers: GPUs are to be given back for
// that.
func (j *Job) Awaits(has elastic.Workers, now time.Time) *elastic.Awaited {
	since := j.AwaitsSince(now)
	j.mu.Lock()
	defer j.mu.Unlock()
	if d := j.lastDecision(); d != nil && d.Workers > has && since.Before(now) {
		return &elastic.Awaited{Workers: d.Workers, Since: coretime.Seconds(since), Reason: d.Reason, Why: d.Why}
	}
	return nil
}

// AwaitsSince is since when the job has been waiting for GPUs to be given back.
func (j *Job) AwaitsSince(now time.Time) time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.withheld.Reason != ReasonNotFree {
		return now
	}
	return j.withheldSince
}

// CouldNotRun remembers that the job is stopped at a moment, as workers of it cannot run and others need its GPUs.
func (j *Job) CouldNotRun(why string, at time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.couldNotRun, j.hurdle = at, why
}

// CouldNotRunFor is why, and when, that was last so; zero if it never was.
func (j *Job) CouldNotRunFor() (why string, at time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.hurdle, j.couldNotRun
}
