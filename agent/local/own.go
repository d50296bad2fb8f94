package local

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/agent/known"
)

// progress is how far a script says that it is.
type progress struct {
	Step  *float64 `json:"step"`
	Total float64  `json:"total"`
	Unit  string   `json:"unit"` // steps, unless it says otherwise
}

// checkpoint is what a script says of its state once it was saved.
type checkpoint struct {
	// Request is the one that it was asked by, if it was.
	Request contract.Request `json:"request"`
}

// wanted is the request for a checkpoint that a script should heed, or 0.
type wanted struct {
	Save contract.Request `json:"save"`
}

func (e *Endpoint) progress(p progress) (any, error) {
	if p.Step == nil {
		return nil, errors.New(`step is missing, such as {"step": 420, "total": 1000}`)
	}
	count := known.Count{Done: *p.Step, Total: p.Total, Unit: cmp.Or(p.Unit, "steps"), At: e.now()}
	if err := e.run.Told(known.Script, count); err != nil {
		_ = e.run.Told(known.Script, count.Within()) // the script is told what is wrong, and trains on
		return nil, err
	}
	return struct{}{}, nil
}

func (e *Endpoint) checkpoint(c checkpoint) (any, error) {
	if c.Request < 0 || c.Request > e.run.View().SaveRead {
		return nil, errors.New("nobody has made this request for a checkpoint")
	}
	now := e.now()
	if c.Request > 0 {
		e.run.SaveAnswered(c.Request, now)
	}
	e.run.SavedByScript(now)
	return struct{}{}, nil
}

// save tells a script whether it should save its state. By asking it says that it would: so a request that is
// told here counts as answered, and from now on requests are possible.
func (e *Endpoint) save(w http.ResponseWriter, _ *http.Request) {
	e.run.SavePossible()
	request := e.run.SaveWanted()
	if request > 0 {
		e.run.SaveAnswered(request, e.now())
	}
	reply(w, wanted{request})
}
