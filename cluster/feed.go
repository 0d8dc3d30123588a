package cluster

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"

	"klabel/label"
	"klabel/liveview"
)

// Update is what a coordinator tells of the live view: all of it, or what has
// changed since the generation before. What is covered comes as bitmaps of pages,
// which are merged by OR in any order; every other status can be taken back, comes
// in runs of equal ones, and counts by its generation alone.
type Update struct {
	Epoch  string
	Gen    uint64 // of this update
	Before uint64 // the generation that it follows
	Whole  bool
	Labels int
	Pages  []byte // page number (varint, from the last one), bitmap
	Runs   []byte // first label (varint, from the end of the last run), length, status
}

// page is the number of labels of one bitmap: those of a function or of a few. A
// function's labels have neighbouring numbers.
const page = 256

// feed reads the store's view and says what has changed.
type feed struct {
	path  string
	epoch string
	gen   uint64
	inode uint64
	stamp uint64
	last  []byte // statuses
}

// look reads the view; nil: nothing has changed.
func (f *feed) look() (*Update, error) {
	file, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	st, err := file.Stat()
	if err != nil {
		return nil, err
	}
	head := make([]byte, liveview.Header)
	if _, err := file.ReadAt(head, 0); err != nil {
		return nil, err
	}
	inode, stamp := st.Sys().(*syscall.Stat_t).Ino, *liveview.Generation(head)
	if inode == f.inode && stamp == f.stamp && f.gen > 0 {
		return nil, nil
	}
	all := make([]byte, st.Size())
	if _, err := file.ReadAt(all, 0); err != nil {
		return nil, err
	}
	n, err := liveview.Count(all)
	if err != nil {
		return nil, fmt.Errorf("%s is %w", f.path, err)
	}
	f.inode, f.stamp = inode, stamp
	u := f.next(all[liveview.Header : liveview.Header+n])
	return u, nil
}

// next makes the update from the last statuses to these.
func (f *feed) next(now []byte) *Update {
	u := &Update{Epoch: f.epoch, Before: f.gen, Gen: f.gen + 1, Labels: len(now)}
	if len(now) != len(f.last) {
		u.Whole, f.last = true, make([]byte, len(now))
		u.Pages, u.Runs = encode(nil, now)
	} else {
		u.Pages, u.Runs = encode(f.last, now)
		if f.gen > 0 && len(u.Pages)+len(u.Runs) == 0 {
			return nil
		}
	}
	copy(f.last, now)
	f.gen++
	return u
}

// whole is all that is known.
func (f *feed) whole() *Update {
	u := &Update{Epoch: f.epoch, Before: f.gen, Gen: f.gen, Whole: true, Labels: len(f.last)}
	u.Pages, u.Runs = encode(nil, f.last)
	return u
}

// encode writes what is in now and not in old; nil stands for nothing known.
func encode(old, now []byte) (pages, runs []byte) {
	lastPage, end := 0, 0
	for at := 0; at < len(now); at += page {
		to := min(at+page, len(now))
		if old != nil && string(old[at:to]) == string(now[at:to]) {
			continue
		}
		var bits [page / 8]byte
		some := false
		for i := at; i < to; {
			was := byte(label.Unknown)
			if old != nil {
				was = old[i]
			}
			s := now[i]
			if s == was {
				i++
				continue
			}
			if label.Status(s) == label.Covered {
				bits[(i-at)/8] |= 1 << ((i - at) % 8)
				some = true
				i++
				continue
			}
			n := 1
			for i+n < to && now[i+n] == s && (old == nil || old[i+n] != s) {
				n++
			}
			runs = binary.AppendUvarint(runs, uint64(i-end))
			runs = binary.AppendUvarint(runs, uint64(n))
			runs = append(runs, s)
			i += n
			end = i
		}
		if some {
			pages = binary.AppendUvarint(pages, uint64(at/page-lastPage))
			pages = append(pages, bits[:]...)
			lastPage = at / page
		}
	}
	return pages, runs
}

var errUpdate = errors.New("an update of the live view that cannot be read")

// covered calls f for each label of the bitmaps.
func (u *Update) covered(f func(id int)) error {
	b, at := u.Pages, 0
	for len(b) > 0 {
		skip, n := binary.Uvarint(b)
		if n <= 0 || len(b) < n+page/8 || skip > uint64(u.Labels) {
			return errUpdate
		}
		at += int(skip)
		bits := b[n : n+page/8]
		b = b[n+page/8:]
		for i := range page {
			if bits[i/8]&(1<<(i%8)) == 0 {
				continue
			}
			if at*page+i >= u.Labels {
				return errUpdate
			}
			f(at*page + i)
		}
	}
	return nil
}

// others calls f for each label of the runs.
func (u *Update) others(f func(id int, s byte)) error {
	b, at := u.Runs, 0
	for len(b) > 0 {
		skip, n := binary.Uvarint(b)
		if n <= 0 || skip > uint64(u.Labels) {
			return errUpdate
		}
		length, m := binary.Uvarint(b[n:])
		if m <= 0 || len(b) <= n+m || length > uint64(u.Labels) || at+int(skip)+int(length) > u.Labels {
			return errUpdate
		}
		at += int(skip)
		s := b[n+m]
		b = b[n+m+1:]
		for range length {
			f(at, s)
			at++
		}
	}
	return nil
}
