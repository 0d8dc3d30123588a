package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"

	"klabel/disk"
)

// bbolt trusts the pages of its file: one that was cut or written over makes it
// read outside of the mapping, which kills the process, or walk in circles. So
// the tree is walked here first, with every step checked. The layout is that of
// bbolt's format 2: a header of 16 bytes (number, flags, count, overflow), then
// elements of 16 bytes, then keys and values.
const (
	pageHeader  = 16
	elementSize = 16

	flagBranch = 0x01
	flagLeaf   = 0x02
	flagBucket = 0x01 // of a leaf element: the value is a bucket

	metaMagic = 0xED0CDAED
	metaSize  = 64 // with the checksum in the last eight bytes
)

// checkPages returns an error if the file at path is no whole bbolt file.
func checkPages(path string) error {
	b, err := disk.Read(path)
	if err != nil || len(b) == 0 {
		return err // bbolt makes a new store in an empty file
	}
	f := &pageFile{b: b}
	if err := f.findMeta(); err != nil {
		return err
	}
	return f.walk(binary.LittleEndian.Uint64(f.meta[16:]))
}

type pageFile struct {
	b    []byte
	size int    // of a page
	meta []byte // the one that counts
	seen []bool // pages that are in use
}

// newestMeta finds the newer of the two meta pages that are whole, and the number of its
// commit; nil if none is.
func newestMeta(file []byte) (meta []byte, commit uint64) {
	for _, at := range []int{0, os.Getpagesize()} {
		if len(file) < at+pageHeader+metaSize {
			continue
		}
		m := file[at+pageHeader:][:metaSize]
		h := fnv.New64a()
		h.Write(m[:metaSize-8])
		if binary.LittleEndian.Uint32(m) != metaMagic || binary.LittleEndian.Uint64(m[metaSize-8:]) != h.Sum64() {
			continue
		}
		if n := binary.LittleEndian.Uint64(m[48:]); meta == nil || n > commit {
			meta, commit = m, n
		}
	}
	return meta, commit
}

// findMeta finds the meta page that counts.
func (f *pageFile) findMeta() error {
	f.meta, _ = newestMeta(f.b)
	if f.meta == nil {
		return errors.New("no page says what is in it")
	}
	f.size = int(binary.LittleEndian.Uint32(f.meta[8:]))
	pages := binary.LittleEndian.Uint64(f.meta[40:])
	if f.size != os.Getpagesize() {
		return fmt.Errorf("pages of %d bytes, not %d", f.size, os.Getpagesize())
	}
	if pages > uint64(len(f.b)/f.size) {
		return fmt.Errorf("it was cut: %d bytes are there, %d were", len(f.b), pages*uint64(f.size))
	}
	f.seen = make([]bool, pages)
	return nil
}

// walk checks the tree below a page.
func (f *pageFile) walk(number uint64) error {
	if number < 2 || number >= uint64(len(f.seen)) {
		return fmt.Errorf("there is no page %d", number)
	}
	at := number * uint64(f.size)
	overflow := uint64(binary.LittleEndian.Uint32(f.b[at+12:]))
	if number+overflow >= uint64(len(f.seen)) {
		return fmt.Errorf("page %d is longer than the file", number)
	}
	for i := number; i <= number+overflow; i++ {
		if f.seen[i] {
			return fmt.Errorf("page %d is used twice", i)
		}
		f.seen[i] = true
	}
	if got := binary.LittleEndian.Uint64(f.b[at:]); got != number {
		return fmt.Errorf("page %d says that it is page %d", number, got)
	}
	return f.elements(f.b[at:][:(overflow+1)*uint64(f.size)])
}

// elements checks the elements of a page, which may be one inside a bucket.
func (f *pageFile) elements(page []byte) error {
	flags, count := binary.LittleEndian.Uint16(page[8:]), int(binary.LittleEndian.Uint16(page[10:]))
	if flags != flagBranch && flags != flagLeaf {
		return fmt.Errorf("a page is of kind %#x", flags)
	}
	if pageHeader+count*elementSize > len(page) || flags == flagBranch && count == 0 {
		return fmt.Errorf("a page cannot hold %d elements", count)
	}
	for i := range count {
		e := page[pageHeader+i*elementSize:]
		u32 := func(off int) uint64 { return uint64(binary.LittleEndian.Uint32(e[off:])) }
		if flags == flagBranch {
			if u32(0)+u32(4) > uint64(len(e)) {
				return errors.New("a key lies outside of its page")
			}
			if err := f.walk(binary.LittleEndian.Uint64(e[8:])); err != nil {
				return err
			}
			continue
		}
		if u32(4)+u32(8)+u32(12) > uint64(len(e)) {
			return errors.New("a record lies outside of its page")
		}
		if u32(0)&flagBucket == 0 {
			continue
		}
		if err := f.bucket(e[u32(4)+u32(8):][:u32(12)]); err != nil {
			return err
		}
	}
	return nil
}

// bucket checks a bucket: the number of its first page, or the page itself.
func (f *pageFile) bucket(value []byte) error {
	if len(value) < 16 {
		return errors.New("a bucket is cut")
	}
	if root := binary.LittleEndian.Uint64(value); root != 0 {
		return f.walk(root)
	}
	if len(value) < 16+pageHeader {
		return errors.New("a bucket is cut")
	}
	return f.elements(value[16:])
}
