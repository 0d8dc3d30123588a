// Package liveview is the format of the live view: the file in which klabel
// publishes what is known of each label while engines run.
//
// It exists because the store, engines in Go and covered() in C map the same file,
// and each knew its bytes by heart. It promises one layout: a header of 64 bytes
// (magic, version, number of bytes N, generation; little-endian), then N bytes, one
// status each, indexed by label. runtime_c/view/covered.c pins its own copy of the
// header to these numbers when it is compiled, and its tests read files made here.
// Limits: what a status means, and who may change which, is said by packages label
// and store; mapping the file is the business of those who use it.
package liveview

import (
	"encoding/binary"
	"errors"
	"unsafe"
)

// The header.
const (
	Magic   = "KLABELV1"
	Version = 1
	Header  = 64 // its size: where the status of label 0 is

	atVersion    = 8
	atCount      = 12
	atGeneration = 16
)

// ErrFormat is the error for a file that is no live view of this version, or is
// shorter than it says.
var ErrFormat = errors.New("no live view of version 1")

// File makes a view of these statuses, of generation 1. Its length is a multiple of
// 8, so that every status lies in a whole word.
func File(statuses []byte) []byte {
	b := make([]byte, (Header+len(statuses)+7)&^7)
	copy(b, Magic)
	binary.LittleEndian.PutUint32(b[atVersion:], Version)
	binary.LittleEndian.PutUint32(b[atCount:], uint32(len(statuses)))
	binary.LittleEndian.PutUint64(b[atGeneration:], 1)
	copy(b[Header:], statuses)
	return b
}

// Count checks a view's header and returns the number of its statuses.
func Count(file []byte) (int, error) {
	if len(file) < Header || string(file[:len(Magic)]) != Magic ||
		binary.LittleEndian.Uint32(file[atVersion:]) != Version {
		return 0, ErrFormat
	}
	n := int64(binary.LittleEndian.Uint32(file[atCount:]))
	if n > int64(len(file)-Header) {
		return 0, ErrFormat
	}
	return int(n), nil
}

// Generation is the word that counts publications.
func Generation(file []byte) *uint64 {
	return (*uint64)(unsafe.Pointer(&file[atGeneration]))
}

// Word returns the aligned word that holds the status of a label, and the shift to
// it: Go has no atomic bytes. It is nil where the file ends before the word does.
func Word(file []byte, id int) (*uint32, uint) {
	at := Header + id
	if at|3 >= len(file) {
		return nil, 0
	}
	return (*uint32)(unsafe.Pointer(&file[at&^3])), uint(at&3) * 8
}
