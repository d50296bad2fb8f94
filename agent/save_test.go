package agent

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// asks are the annotations of a pod that was let in and is asked for a checkpoint.
func asks(number int) string { return fmt.Sprintf("%stakt.dev/save=\"%d\"\n", letIn, number) }

func TestACheckpointIsAskedForOnceBySignal(t *testing.T) {
	w := wrap(t, letIn+"takt.dev/save-signal=\"USR1\"\n")
	w.tell("catch %d", syscall.SIGUSR1)
	w.hears("it catches")
	w.metric("takt_save_possible 1")
	w.annotate(asks(7))
	w.hears("caught 10")
	w.metric("takt_save_answered_request 7")
	w.annotate(asks(7) + "other=\"news\"\n") // the same request, in another version of the file
	w.annotate(asks(6))                      // an older one
	w.annotate(asks(8))
	w.hears("caught 10")
	w.metric("takt_save_answered_request 8")
	w.tell("say that was all")
	w.hears("that was all")
}

func TestASignalEndsNobodyWhoDoesNotCatchIt(t *testing.T) {
	w := prepare(t, letIn, "--save-signal=SIGUSR2").instead("sh", "-c", "echo it trains; read code; exit $code").begin()
	w.hears("it trains")
	w.annotate(asks(7))
	w.metric("takt_save_declined_request 7")
	w.says("no process of the training does anything about SIGUSR2")
	w.tell("3")
	w.exits(3)
}

// So does torchrun: it starts the workers, and knows nothing of the signal itself.
func TestASignalReachesWhoeverCatchesItBelowALauncher(t *testing.T) {
	w := prepare(t, letIn, "--save-signal=SIGUSR1").instead("sh", "-c", self(t)+" puppet; exit $?").begin()
	w.tell("catch %d", syscall.SIGUSR1)
	w.hears("it catches")
	w.annotate(asks(7))
	w.hears("caught 10")
	w.tell("exit 5")
	w.exits(5)
}

func TestACheckpointIsAskedForByFile(t *testing.T) {
	w := prepare(t, letIn)
	file := w.path("save-now")
	w.annotate(letIn + fmt.Sprintf("takt.dev/save-file=%q\n", file))
	w.begin()
	w.tell("say it trains")
	w.hears("it trains")
	w.annotate(asks(7))
	w.until("the file is there", func() bool {
		text, _ := os.ReadFile(file)
		return string(text) == "7\n"
	})
	w.metric("takt_save_answered_request 7")
}

func TestAFileThatCannotBeMadeIsNamed(t *testing.T) {
	w := wrap(t, letIn, "--save-file=/nowhere/save-now")
	w.tell("say it trains")
	w.hears("it trains")
	w.annotate(asks(7))
	w.says("the file by which the training is asked for a checkpoint cannot be made")
	w.metric("takt_save_declined_request 7")
}

// A container that starts again finds what was asked of the one before: it has nothing to save, and may not catch
// the signal yet.
func TestWhatWasAskedBeforeTheStartIsDeclined(t *testing.T) {
	w := wrap(t, asks(7), "--save-signal=SIGUSR1")
	w.metric("takt_save_declined_request 7")
	w.tell("catch %d", syscall.SIGUSR1)
	w.hears("it catches")
	w.annotate(asks(8))
	w.hears("caught 10")
	w.tell("say that was all")
	w.hears("that was all")
}

func TestAJobThatDoesNotSayHowCannotBeAsked(t *testing.T) {
	w := wrap(t, letIn)
	w.metric("takt_save_possible 0")
	w.annotate(asks(7))
	w.metric("takt_save_declined_request 7")
	w.annotate(letIn + "takt.dev/save=\"soon\"\n")
	w.says("is no number of a request")
	w.tell("exit 0")
	w.exits(0)
}

func TestAScriptAsksWhetherItShouldSave(t *testing.T) {
	w := wrap(t, letIn)
	w.tell("ask /v1/save")
	w.hears(`200 {"save":0}`)
	w.metric("takt_save_possible 1")
	w.annotate(asks(7))
	w.metric("takt_save_request 7")
	w.tell("ask /v1/save")
	w.hears(`200 {"save":7}`)
	w.metric("takt_save_answered_request 7")
	w.tell("ask /v1/save") // another rank, which has to know as well
	w.hears(`200 {"save":7}`)
	w.tell(`send /v1/checkpoint {"request": 7}`)
	w.hears("200 {}")
	w.tell("ask /v1/save")
	w.hears(`200 {"save":0}`)
	w.until("the checkpoint is told", func() bool {
		text, err := get(t.Context(), w.address)
		return err == nil && strings.Contains(text, "\ntakt_checkpoint_timestamp_seconds 1")
	})
	w.tell(`send /v1/checkpoint {"request": 9}`)
	w.hears("400 nobody has made this request for a checkpoint")
}

func TestAPodThatIsToEndSavesFirst(t *testing.T) {
	w := wrap(t, letIn, "--save-signal=SIGUSR1", "--grace=1h", "--checkpoint-pattern=^saved ")
	w.tell("catch 10 15")
	w.hears("it catches")
	w.signal(syscall.SIGTERM)
	w.hears("caught 10")
	w.tell("say saved checkpoint-400")
	w.hears("saved checkpoint-400")
	w.hears("caught 15")
	w.tell("exit 143")
	w.exits(143)
}

func TestAPodThatIsToEndAtOnceDoes(t *testing.T) {
	for name, test := range map[string]struct {
		annotations string
		flags       []string
	}{
		"no grace period is told":  {letIn, []string{"--save-signal=SIGUSR1"}},
		"nobody can be asked":      {letIn, []string{"--grace=1h"}},
		"it leaves in a resize":    {letIn + "takt.dev/draining=\"true\"\n", []string{"--save-signal=SIGUSR1", "--grace=1h"}},
		"the file cannot be made":  {letIn, []string{"--save-file=/nowhere/save", "--grace=1h"}},
		"the grace period is over": {letIn, []string{"--save-signal=SIGUSR1", "--grace=2ns"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := wrap(t, test.annotations, test.flags...)
			w.tell("catch 15")
			w.hears("it catches")
			w.signal(syscall.SIGTERM)
			w.hears("caught 15")
			w.tell("exit 3")
			w.exits(3)
		})
	}
}

func TestAPodThatIsToEndAndCannotBeAskedDoes(t *testing.T) {
	w := prepare(t, letIn, "--save-signal=SIGUSR2", "--grace=1h").
		instead("sh", "-c", "trap 'kill $!; exit 3' TERM; echo it trains; sleep 1000 & wait").begin()
	w.hears("it trains")
	w.signal(syscall.SIGTERM)
	w.exits(3)
}

func TestWhoeverTellsAPodTwiceToEndDoesNotWantToWait(t *testing.T) {
	w := wrap(t, letIn, "--save-signal=SIGUSR1", "--grace=1h")
	w.tell("catch 10 15")
	w.hears("it catches")
	w.signal(syscall.SIGTERM)
	w.hears("caught 10")
	w.signal(syscall.SIGTERM)
	w.hears("caught 15")
	w.signal(syscall.SIGTERM)
	w.hears("caught 15")
	w.tell("exit 0")
	w.exits(143)
}

// To training-operator and to a Job, an exit with 0 is the success of the worker, or of the whole job, also where its
// pod was evicted.
func TestAnEndBeforeAllIsDoneIsNoSuccess(t *testing.T) {
	for name, test := range map[string]struct {
		orders []string // each of which is answered by one line
		signal syscall.Signal
		exit   string
		want   int
	}{
		"nothing is known":           {nil, syscall.SIGTERM, "0", 143},
		"some of it is done":         {[]string{"say done 3 of 7"}, syscall.SIGTERM, "0", 143},
		"nobody knows how much":      {[]string{`send /v1/progress {"step": 7}`}, syscall.SIGTERM, "0", 143},
		"all of it is done":          {[]string{`send /v1/progress {"step": 7, "total": 7}`}, syscall.SIGTERM, "0", 0},
		"it exits with another code": {nil, syscall.SIGTERM, "3", 3},
		"nobody has told it to end":  {nil, syscall.SIGUSR2, "0", 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := wrap(t, letIn)
			for _, order := range test.orders {
				w.tell("%s", order)
				w.line()
			}
			w.tell("catch 12 15")
			w.hears("it catches")
			w.signal(test.signal)
			w.hears(fmt.Sprintf("caught %d", test.signal))
			w.tell("exit %s", test.exit)
			w.exits(test.want)
		})
	}
}

// A stage that was complete is not all of the training, once the next one begins.
func TestAnEndAfterAPartIsNoSuccess(t *testing.T) {
	w := wrap(t, letIn)
	w.tell("say done 7 of 7")
	w.hears("done 7 of 7")
	w.metric(`takt_progress_done{unit="steps"} 7`)
	w.tell("say that was a part")
	w.hears("that was a part")
	w.metric("takt_output_lines_total 2")
	w.tell("catch 15")
	w.hears("it catches")
	w.signal(syscall.SIGTERM)
	w.hears("caught 15")
	w.tell("exit 0")
	w.exits(143)
}

// The signal to end would cut off the very checkpoint that was asked for.
func TestACheckpointFromBeforeEndsNoWaiting(t *testing.T) {
	w := wrap(t, letIn, "--save-signal=SIGUSR1", "--grace=1h")
	w.tell("catch 10 12 15")
	w.hears("it catches")
	w.tell("say it was saved before")
	w.hears("it was saved before")
	w.metric("takt_output_lines_total 2")
	w.signal(syscall.SIGTERM)
	w.hears("caught 10")
	w.tell("say what was begun is saved")
	w.hears("what was begun is saved")
	w.until("the earlier checkpoint is told", func() bool {
		text, err := get(t.Context(), w.address)
		return err == nil && strings.Contains(text, "\ntakt_checkpoint_timestamp_seconds 1")
	})
	for range 5 { // by then it would have been told to end
		w.signal(syscall.SIGUSR2)
		w.hears("caught 12")
	}
	w.tell("say all of it is saved")
	w.hears("all of it is saved")
	w.hears("caught 15")
	w.tell("exit 143")
	w.exits(143)
}
