package agent

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/agent/output"
	"github.com/takt-dev/takt/agent/process"
)

// The binary of the tests is three programs: the tests; the agent, as takt-agent exec would be; and a puppet, a
// training which does what it is told on its standard input.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "exec":
			os.Exit(Exec(Options{
				Args: os.Args[2:], Environment: os.Environ(),
				Files: process.Outputs{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, Printed: counting,
				ForgottenAfter: forgotten(), First: os.Getenv("AS_FIRST") != "",
			}))
		case "puppet":
			os.Exit(puppet(os.Stdin, os.Stdout, os.Stderr))
		}
	}
	// Else each of these processes sleeps for a second at its end, where races are looked for.
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// forgotten is how long others count on a worker, where a test says so.
func forgotten() time.Duration {
	within, _ := time.ParseDuration(os.Getenv("FORGOTTEN_AFTER"))
	return within
}

// counting reads lines such as "done 3 of 7", in the place of all that trainings print.
func counting(of Training) output.Printed { return &counter{of: of} }

type counter struct {
	of    Training
	begun time.Time // when a checkpoint was, of which is told later
}

func (c *counter) Line(line []byte, _ bool) {
	var done, total float64
	if n, _ := fmt.Sscanf(string(line), "done %g of %g", &done, &total); n == 2 {
		c.of.Progress(done, total, "steps")
	}
	switch string(line) {
	case "it was saved before":
		c.begun = time.Now()
	case "what was begun is saved":
		c.of.Saved(c.begun)
	case "all of it is saved":
		c.of.Saved(time.Now())
	case "that was a part":
		c.of.OfPart()
	case "break the reading":
		panic("it is broken")
	}
}

// puppet does what it is told, one line after the other, and exits as it is told.
func puppet(in io.Reader, out, complaints io.Writer) int {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case "say":
			fmt.Fprintln(out, rest)
		case "cry":
			fmt.Fprintln(complaints, rest)
		case "env":
			value, set := os.LookupEnv(rest)
			fmt.Fprintf(out, "%s %v\n", value, set)
		case "bytes":
			number, _ := strconv.Atoi(rest)
			_, _ = out.Write(noise(1, number))
			_, _ = complaints.Write(noise(2, number/2))
		case "flags":
			fmt.Fprintln(out, "1:"+waiting(1), "2:"+waiting(2))
		case "catch":
			catch(rest, out)
		case "orphan":
			orphan(out, complaints)
		case "send", "ask":
			fmt.Fprintln(out, request(word, rest))
		case "raise":
			number, _ := strconv.Atoi(rest)
			_ = syscall.Kill(os.Getpid(), syscall.Signal(number))
			select {} // until it comes
		case "group":
			number, _ := strconv.Atoi(rest)
			_ = syscall.Kill(0, syscall.Signal(number))
		case "exit":
			code, _ := strconv.Atoi(rest)
			return code
		}
	}
	return 99
}

// waiting says whether whoever writes to an output waits until there is room.
func waiting(fd uintptr) string {
	flags, _, _ := syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_GETFL, 0)
	if flags&syscall.O_NONBLOCK != 0 {
		return "fails"
	}
	return "blocks"
}

// noise is the same each time.
func noise(seed uint64, bytes int) []byte {
	source := rand.NewChaCha8([32]byte{byte(seed)})
	made := make([]byte, bytes)
	_, _ = source.Read(made)
	return made
}

// catch tells of each signal with these numbers that comes from now on.
func catch(numbers string, out io.Writer) {
	caught := make(chan os.Signal, 100)
	for number := range strings.FieldsSeq(numbers) {
		n, _ := strconv.Atoi(number)
		signal.Notify(caught, syscall.Signal(n))
	}
	go func() {
		for s := range caught {
			fmt.Fprintf(out, "caught %d\n", s)
		}
	}()
	fmt.Fprintln(out, "it catches")
}

// orphan leaves a process behind that holds both outputs, and whose parent has ended.
func orphan(out, complaints io.Writer) {
	shell := exec.Command("sh", "-c", "sh -c 'while :; do read line </dev/zero; done' & echo $!") //nolint:noctx // it outlives all
	shell.Stderr = complaints
	pipe, _ := shell.StdoutPipe()
	_ = shell.Start()
	text, _ := bufio.NewReader(pipe).ReadString('\n')
	_ = shell.Process.Release()
	fmt.Fprint(out, text)
}

// request sends something to the local endpoint, or asks it, and gives the status and what was answered.
func request(how, rest string) string {
	path, body, _ := strings.Cut(rest, " ")
	method := http.MethodGet
	if how == "send" {
		method = http.MethodPost
	}
	r, err := http.NewRequest(method, os.Getenv(contract.URLVariable)+path, strings.NewReader(body)) //nolint:noctx // a puppet waits for ever
	if err != nil {
		return err.Error()
	}
	r.Header.Set("Authorization", "Bearer "+os.Getenv(contract.TokenVariable))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return fmt.Sprint(answer.StatusCode, " ", strings.TrimSpace(string(text)))
}
