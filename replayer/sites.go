package replayer

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"

	"klabel/label"
)

// sites are the instructions of a replay program that note hits: calls of
// klabel_hit with a label's number. A label may have several.
type sites struct {
	entry  uint64 // where the program begins
	places map[label.ID][]uint64
}

// hitName is the function that instrument lets programs call.
const hitName = "klabel_hit"

// findSites reads the program's machine code. A call of which it cannot tell the
// label is none of instrument's; if there are no others, it is an error.
func findSites(binary string) (*sites, error) {
	f, err := elf.Open(binary)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Machine != elf.EM_X86_64 && f.Machine != elf.EM_386 {
		return nil, fmt.Errorf("machine code of %v is not read", f.Machine)
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	var target, own elf.Symbol // own: what the replay runtime itself calls it from
	for _, s := range symbols {
		switch s.Name {
		case hitName:
			target = s
		case hitName + "_early":
			own = s
		}
	}
	if target.Value == 0 {
		return nil, errors.New("the program has no " + hitName)
	}
	unclear := 0
	out := &sites{entry: f.Entry, places: map[label.ID][]uint64{}}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_PROGBITS || s.Flags&elf.SHF_EXECINSTR == 0 {
			continue
		}
		text, err := s.Data()
		if err != nil {
			return nil, err
		}
		unclear += out.scan(text, s.Addr, target.Value, own)
	}
	if unclear > 0 && len(out.places) == 0 {
		return nil, errors.New("its machine code does not say which labels are noted")
	}
	return out, nil
}

// scan finds call instructions by their target. That five bytes of something else
// have the same value happens once in billions. It returns how many are unclear.
func (s *sites) scan(text []byte, at, target uint64, own elf.Symbol) (unclear int) {
	const call, size = 0xe8, 5
	for i := 0; i+size <= len(text); i++ {
		if text[i] != call {
			continue
		}
		place := at + uint64(i)
		if place+size+uint64(int64(int32(binary.LittleEndian.Uint32(text[i+1:])))) != target {
			continue
		}
		if place >= own.Value && place < own.Value+own.Size {
			continue
		}
		id, ok := argument(text[:i])
		if !ok {
			unclear++
			continue
		}
		s.places[id] = append(s.places[id], place)
	}
	return unclear
}

// argument is the number that the code before a call puts where functions find
// their first argument: mov $ID,%edi; of 32 bits: movl $ID,(%esp), or by another
// register that the stack's pointer was moved to.
func argument(before []byte) (label.ID, bool) {
	n := len(before)
	switch {
	case n >= 5 && before[n-5] == 0xbf,
		n >= 7 && before[n-7] == 0xc7 && before[n-6] == 0x04 && before[n-5] == 0x24:
		return label.ID(binary.LittleEndian.Uint32(before[n-4:])), true
	case n >= 8 && before[n-8] == 0x89 && before[n-6] == 0xc7 && before[n-5] < 4 && before[n-7] == 0xe0|before[n-5]:
		return label.ID(binary.LittleEndian.Uint32(before[n-4:])), true
	case n >= 2 && before[n-2] == 0x31 && before[n-1] == 0xff: // xor %edi,%edi
		return 0, true
	}
	return 0, false
}

// all are the places of all labels.
func (s *sites) all() []uint64 {
	var out []uint64
	for _, p := range s.places {
		out = append(out, p...)
	}
	return out
}
