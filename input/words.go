package input

import (
	"reflect"
	"regexp"
)

var reWord = regexp.MustCompile(`[A-Za-z_]\w*`)

// Words are all words of a description. Among them are the names of what it calls or takes the address of.
func (d *Driver) Words() map[string]bool {
	w := words{found: map[string]bool{}, seen: map[pointer]bool{}}
	w.add(reflect.ValueOf(d))
	return w.found
}

type words struct {
	found map[string]bool
	seen  map[pointer]bool // types lead to themselves
}

// pointer is one of a type: a structure lies where its first member does.
type pointer struct {
	to reflect.Type
	at uintptr
}

func (w words) add(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		for _, word := range reWord.FindAllString(v.String(), -1) {
			w.found[word] = true
		}
	case reflect.Pointer:
		p := pointer{v.Type(), v.Pointer()}
		if v.IsNil() || w.seen[p] {
			return
		}
		w.seen[p] = true
		w.add(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			w.add(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			w.add(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			w.add(key)
			w.add(v.MapIndex(key))
		}
	}
}
