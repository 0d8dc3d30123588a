package ctests

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"klabel/csource"
	"klabel/input"
)

// body writes the statements of one test.
type body struct {
	out    strings.Builder
	main   string // what the image calls the main function of the source; "" without
	names  map[string]bool
	tried  map[string]int    // by what a name is made from: the last number that was tried
	places map[string]string // pointer's Name -> C expression of what it points to
	// pointers that share the target of another, by Name: which has one, and how many
	// items further they point
	aliases   map[string]alias
	led       map[string]int    // by the Name of such a target's own pointer: the last item that others point to
	madeParts []madePart        // of what is being declared
	made      map[string]string // variables of the objects that steps make, by Name
	held      map[string]bool   // of these: structures themselves, not pointers
	pending   map[string]string // of these, by Name: declarations that their first values complete
	static    bool              // variables outlive the function
	within    map[string]bool   // pointers whose targets are being written
	declaring int               // variables that are being declared, one within the other
	raw       []rawPart         // of the innermost: what only bytes show
	back      []link            // pointers of the value being written that lead to such a target
	late      []string          // assignments to make when all targets exist
	heap      bool              // something that was written since lies in memory from malloc
	allocated map[string]bool   // variables that point to such memory: no constants
	checks    []check           // what may be observed after the call
}

// alias is a pointer with a target of its own, and an item of that.
type alias struct {
	name string
	at   int
}

// link is a pointer, by its path in what holds it, that leads to the target of
// another.
type link struct{ path, to string }

// check is something to look at after the call.
type check struct {
	expr   string
	typ    *input.Type
	before string // its value before the call, "" when it had none
}

func newBody() *body {
	return &body{names: map[string]bool{}, tried: map[string]int{}, places: map[string]string{},
		within: map[string]bool{}, made: map[string]string{}, held: map[string]bool{}, pending: map[string]string{},
		aliases: map[string]alias{}, led: map[string]int{}, allocated: map[string]bool{}}
}

func (w *body) line(format string, a ...any) {
	fmt.Fprintf(&w.out, "    "+format+"\n", a...)
}

// ofCall matches what stands before the name that a called function has for what a step gives it.
var ofCall = regexp.MustCompile(`^[^.]*:\w+\.`)

// ident makes a C name that is not taken from the name of a value.
func (w *body) ident(name string) string {
	var s strings.Builder
	name = ofCall.ReplaceAllString(name, "")
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == '_', r >= '0' && r <= '9' && s.Len() > 0:
			s.WriteRune(r)
		case s.Len() > 0 && !strings.HasSuffix(s.String(), "_"):
			s.WriteByte('_')
		}
	}
	base := strings.TrimRight(s.String(), "_")
	if base == "" {
		base = "value"
	}
	for { // names are never given back: a program may ask for as many as it likes
		w.tried[base]++
		n := base
		if i := w.tried[base]; i > 1 {
			n = fmt.Sprintf("%s_%d", base, i)
		}
		if !w.names[n] {
			w.names[n] = true
			return n
		}
	}
}

func (w *body) storage() string {
	if w.static {
		return "static "
	}
	return ""
}

// expression returns C for a value, and declares before it what it points to.
func (w *body) expression(v *input.Value) (string, error) {
	switch {
	case len(v.Picks) > 0:
		return pickText(v), nil
	case v.Type.Kind == input.Pointer:
		return w.pointer(v)
	}
	parts, err := w.parts(v)
	if err != nil {
		return "", err
	}
	return initialiser(v.Bytes, v.Type, "", parts)
}

func pickText(v *input.Value) string {
	p := v.Picks[v.Pick]
	if v.Type.Kind == input.Int {
		return p.Text
	}
	return floatNumber(p.Value)
}

// parts declares what the parts of a value need and returns their C by path.
func (w *body) parts(v *input.Value) (map[string]string, error) { return w.partsWithin(v, v.Type) }

// partsWithin is the same of the items that an array has which is written shorter.
func (w *body) partsWithin(v *input.Value, t *input.Type) (map[string]string, error) {
	out := map[string]string{}
	for i, pv := range v.Parts {
		path := ""
		if i < len(v.Input.Parts) {
			path = v.Input.Parts[i].Path
		} else if v.Member > 0 {
			path = v.Members[v.Member-1].Path
		}
		if t.Kind == input.Array && v.Type.Kind == input.Array && itemOf(path) >= t.Len {
			continue
		}
		if pv.Select != "" && pv.Member == 0 && pv.Object == "" {
			continue // the raw bytes of the union show it
		}
		if pv.Bits > 0 {
			out[path] = bitField(pv)
			continue
		}
		before, bytes, made := len(w.back), len(w.raw), len(w.madeParts)
		if pv.Type.Kind == input.Union && pv.Bytes == nil {
			inner, err := w.parts(pv)
			if err != nil {
				return nil, err
			}
			for p, s := range inner {
				out[path+p] = s
			}
			w.leadBy(path, before, bytes, made)
			continue
		}
		if pv.Made {
			w.madeParts = append(w.madeParts, madePart{pv.Name, path})
			out[path] = "NULL"
			continue
		}
		s, err := w.expression(pv)
		var only *bytesOnly
		if errors.As(err, &only) && w.declaring > 0 && pv.Bytes != nil {
			w.raw = append(w.raw[:bytes], rawPart{path: path, bytes: pv.Bytes})
			continue
		}
		if err != nil {
			return nil, err
		}
		w.leadBy(path, before, bytes, len(w.madeParts))
		if pv.Type.Inner && s != "NULL" {
			s = "(void *)" + s
		}
		if w.declaring > 0 && isPartOf(t, path) && !strings.HasPrefix(s, "{") {
			if s != "NULL" {
				w.raw = append(w.raw, rawPart{path: path, text: s})
			}
			continue
		}
		out[path] = s
	}
	return out, nil
}

// isPartOf reports whether a path names a member of a union that has less than all of its bytes. What an initialiser
// of it leaves in the others is not said; in a union of which it says nothing they are zero.
func isPartOf(t *input.Type, path string) bool {
	return t.Kind == input.Union && slices.ContainsFunc(t.Fields, func(f input.Field) bool {
		return f.Name != "" && path == "."+f.Name && f.Type.Size < t.Size && !strings.Contains(f.Type.Decl, "const @")
	})
}

// leadBy puts the way to a part before what its own parts have left to be done, from these on.
func (w *body) leadBy(path string, back, raw, made int) {
	for i := raw; i < len(w.raw); i++ {
		w.raw[i].path = path + w.raw[i].path
	}
	for i := back; i < len(w.back); i++ {
		w.back[i].path = path + w.back[i].path
	}
	for i := made; i < len(w.madeParts); i++ {
		w.madeParts[i].path = path + w.madeParts[i].path
	}
}

// itemOf is the index with which a path begins, -1 where it begins with none.
func itemOf(path string) int64 {
	index, _, ok := strings.Cut(strings.TrimPrefix(path, "["), "]")
	n, err := strconv.ParseInt(index, 10, 64)
	if !ok || err != nil {
		return -1
	}
	return n
}

// bitField writes a value cut to its width.
func bitField(v *input.Value) string {
	n := input.Integer(v.Bytes, false)
	n &= 1<<uint(v.Bits) - 1
	if v.Type.Signed && n>>(uint(v.Bits)-1) != 0 {
		n -= 1 << uint(v.Bits)
	}
	for _, e := range v.Type.Enumerators {
		if e.Value == n {
			return e.Name
		}
	}
	return fmt.Sprint(n)
}

// madePart is a part of a variable that a step makes.
type madePart struct{ name, path string }

// rawPart is a part of a variable whose value no initialiser gives: a union of pointers that is read as
// a number, one of the numbers that are none, or a member that is smaller than its union, which has a text.
type rawPart struct {
	path  string
	bytes []byte
	text  string
}

// declare writes a variable with the value of what a pointer points to.
func (w *body) declare(name string, t *input.Type, to *input.Value, of *input.Value) error {
	before, bytes := len(w.back), len(w.raw)
	w.declaring++
	parts, err := w.partsWithin(to, t)
	w.declaring--
	if err != nil {
		return err
	}
	raw := slices.Clone(w.raw[bytes:])
	w.raw = w.raw[:bytes]
	for _, p := range w.madeParts {
		w.made[p.name] = name + p.path
	}
	w.madeParts = nil
	for _, l := range w.back[before:] {
		w.late = append(w.late, name+l.path+" = "+l.to)
	}
	w.back = w.back[:before]
	var s string
	if len(to.Picks) > 0 || to.Type.Kind == input.Pointer {
		s, err = w.expression(to)
	} else if to.Text && strings.HasPrefix(t.Elem.Decl, "char ") {
		s = text(to.Bytes[:textEnd(to.Bytes)])
	} else {
		s, err = initialiser(to.Bytes, t, "", parts)
	}
	var only *bytesOnly
	switch {
	case errors.As(err, &only):
		w.line("%s%s;", w.storage(), t.Declare(name))
		w.line("memcpy(&%s, (const unsigned char[]){%s}, sizeof %s);", name, byteList(slice(to.Bytes, 0, t.Size)), name)
		for _, path := range slices.Sorted(maps.Keys(parts)) { // pointers, which no bytes give
			if path != "" && !strings.HasPrefix(parts[path], "{") {
				w.line("%s%s = %s;", name, path, parts[path])
			}
		}
	case err != nil:
		return err
	default:
		align := ""
		if strings.HasPrefix(t.Decl, "unsigned char @") && of != nil && strings.Contains(of.Type.Decl, "void") {
			align = "_Alignas(16) "
		}
		if w.static && w.isAllocated(s) {
			first := w.ident(name + "_first")
			w.line("%s = %s;", t.Declare(first), s)
			w.line("static %s%s;", align, t.Declare(name))
			w.line("memcpy(&%s, &%s, sizeof %s);", name, first, name)
			break
		}
		w.line("%s%s%s = %s;", w.storage(), align, t.Declare(name), s)
	}
	for _, r := range raw {
		part := name + r.path
		if r.text != "" {
			w.line("%s = %s;", part, r.text)
			continue
		}
		w.line("memcpy(&%s, (const unsigned char[]){%s}, sizeof %s);", part, byteList(r.bytes), part)
	}
	if of != nil && !constTarget(of) {
		w.watch(name, t, s)
	}
	return nil
}

// isAllocated reports whether C speaks of a variable that points to memory from malloc.
func (w *body) isAllocated(s string) bool {
	return slices.ContainsFunc(csource.Words([]byte(s)), func(name string) bool { return w.allocated[name] })
}

// assignLate writes the assignments that had to wait for their targets.
func (w *body) assignLate() {
	for _, l := range w.late {
		lv, to, _ := strings.Cut(l, " = ")
		if p, ok := w.places[to]; ok {
			w.line("%s = %s;", lv, p)
		}
	}
	w.late, w.back = nil, nil
}

// takes reports whether a step is given an object, or told to make it in its place.
func takes(steps []input.Prepared, name string) bool {
	return slices.ContainsFunc(steps, func(p input.Prepared) bool {
		return p.Self == name || p.Out == name || slices.Contains(slices.Collect(maps.Values(p.With)), name)
	})
}

// maxWatched bounds the items of one array that are checked, maxPlaces what is of one object.
const (
	maxWatched = 16
	maxPlaces  = 256
)

// ofMachine are structures that tell of the machine, of its devices say: no two have the same.
var ofMachine = map[string]bool{"struct stat": true, "struct stat64": true, "struct statx": true,
	"struct statfs": true, "struct statvfs": true, "struct utsname": true, "struct sysinfo": true,
	"struct rusage": true, "struct tms": true, "struct dirent": true}

// watch notes what a call may change.
func (w *body) watch(name string, t *input.Type, before string) {
	w.watchPart(name, t, before, len(w.checks)+maxPlaces)
}

func (w *body) watchPart(name string, t *input.Type, before string, most int) {
	if len(w.checks) >= most {
		return
	}
	switch t.Kind {
	case input.Int, input.Enum, input.Bool, input.Float:
		w.checks = append(w.checks, check{expr: name, typ: t, before: before})
	case input.Array:
		if t.Elem == nil || t.Len > maxWatched {
			return
		}
		for i := int64(0); i < t.Len; i++ {
			w.watchPart(fmt.Sprintf("%s[%d]", name, i), t.Elem, "", most)
		}
	case input.Struct:
		if ofMachine[t.Tag] {
			return
		}
		for _, f := range t.Fields {
			if f.Name != "" {
				w.watchPart(name+"."+f.Name, f.Type, "", most)
			}
		}
	}
}
