package cluster

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"klabel/label"

	"golang.org/x/sys/unix"
)

// timeOf is where the time is noted at which a label was covered.
func timeOf(mem []byte, id int) *int64 { return (*int64)(unsafe.Pointer(&mem[8*id])) }

var lags struct {
	mu  sync.Mutex
	mem []byte
	all []time.Duration
}

// lagSeen notes, in a process of workers, how long after the commit each of them
// knows of a label. nil: nobody measures.
func lagSeen(dir string) func(id int, s label.Status) {
	f, err := os.OpenFile(filepath.Join(dir, "times"), os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	lags.mu.Lock()
	defer lags.mu.Unlock()
	if lags.mem == nil {
		st, _ := f.Stat()
		lags.mem, _ = unix.Mmap(int(f.Fd()), 0, int(st.Size()), unix.PROT_READ, unix.MAP_SHARED)
	}
	return func(id int, s label.Status) {
		if at := *timeOf(lags.mem, id); s == label.Covered && at != 0 {
			d := time.Duration(time.Now().UnixNano() - at)
			lags.mu.Lock()
			lags.all = append(lags.all, d)
			lags.mu.Unlock()
		}
	}
}

func lagReport(dir string) {
	lags.mu.Lock()
	defer lags.mu.Unlock()
	if len(lags.all) == 0 {
		return
	}
	slices.Sort(lags.all)
	at := func(p int) float64 { return lags.all[(len(lags.all)-1)*p/100].Seconds() }
	b, _ := json.Marshal(map[string]float64{"n": float64(len(lags.all)), "median": at(50), "p95": at(95),
		"max": at(100)})
	os.WriteFile(filepath.Join(dir, "lags.json"), b, 0o666)
}

func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestScale measures a coordinator, with the embedded server, against
// KLABEL_CLUSTER_SCALE workers that are goroutines of another process, with a fake
// engine and a fake judge: what the protocol itself costs, and how late workers know
// what is covered. KLABEL_CLUSTER_LABELS is the number of labels.
func TestScale(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("KLABEL_CLUSTER_SCALE"))
	if err != nil {
		t.Skip("KLABEL_CLUSTER_SCALE is not set")
	}
	labels := 20 * 10 * n
	if l, err := strconv.Atoi(os.Getenv("KLABEL_CLUSTER_LABELS")); err == nil {
		labels = l
	}
	pause := os.Getenv("KLABEL_CLUSTER_PAUSE") // of the engine before each test
	if pause == "" {
		pause = "100ms"
	}
	dir, work := t.TempDir(), t.TempDir()
	times := filepath.Join(work, "times")
	if err := os.WriteFile(times, make([]byte, 8*labels), 0o666); err != nil {
		t.Fatal(err)
	}
	k := newCampaign(t, dir, labels/fakeLabels, Options{Listen: "127.0.0.1:0"})
	k.times = mapFile(t, times)
	w := startWorker(t, url(k.c), work, fmt.Sprint("KLABEL_TEST_WORKERS=", n), "KLABEL_TEST_PAUSE="+pause)
	for k.c.Status().Slots < n {
		time.Sleep(50 * time.Millisecond)
	}
	begin, used := time.Now(), cpu()
	most := time.Minute
	if d, err := time.ParseDuration(os.Getenv("KLABEL_CLUSTER_TIME")); err == nil {
		most = d
	}
	k.drive(n, most)
	took, used := time.Since(begin), cpu()-used
	s := k.c.Status()
	covered := k.covered()
	k.c.Close()
	w.Wait()
	lag, _ := os.ReadFile(filepath.Join(work, "lags.json"))
	t.Logf("%d workers, %d labels: %.1f s, %.1f %% of a core; %.1f slices/s, %.1f tests/s, %.1f messages/s, %d "+
		"covered, %d begun again; view lag %s", n, labels, took.Seconds(), 100*used.Seconds()/took.Seconds(),
		float64(s.Ended)/took.Seconds(), float64(s.Tests)/took.Seconds(), float64(s.Messages)/took.Seconds(), covered,
		s.Redelivered, lag)
	if k.wrong.Load() > 0 || covered == 0 {
		t.Errorf("%d wrong, %d covered", k.wrong.Load(), covered)
	}
}

// drive is follow without its look at every label: entry after entry, n at a time.
func (k *campaign) drive(n int, most time.Duration) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for e := range next {
				if _, err := k.slice(fmt.Sprint("f", e), 10*time.Second); err != nil {
					k.t.Error(err)
				}
			}
		})
	}
	end := time.After(most)
	for e := range k.entries {
		select {
		case next <- e:
			continue
		case <-end:
		}
		break
	}
	close(next)
	wg.Wait()
}
