package exec

import (
	"strings"

	"klabel/engine/native/memory"
)

// What clang's -fsanitize= options call when a check fails, with the kinds of
// errors that KLEE reports for them.
var ubsan = map[string]*ubsanCheck{
	"type_mismatch":             {"null-pointer-use or misaligned-pointer-use", "ptr.err"},
	"alignment_assumption":      {"alignment-assumption", "ptr.err"},
	"pointer_overflow":          {"pointer-overflow", "ptr.err"},
	"out_of_bounds":             {"out-of-bounds-index", "ptr.err"},
	"vla_bound_not_positive":    {"non-positive-vla-index", "ptr.err"},
	"add_overflow":              {"integer-overflow", "overflow.err"},
	"sub_overflow":              {"integer-overflow", "overflow.err"},
	"mul_overflow":              {"integer-overflow", "overflow.err"},
	"negate_overflow":           {"integer-overflow", "overflow.err"},
	"divrem_overflow":           {"integer division overflow", "overflow.err"},
	"shift_out_of_bounds":       {"shift out of bounds", "overflow.err"},
	"float_cast_overflow":       {"float-cast-overflow", "overflow.err"},
	"builtin_unreachable":       {"unreachable-call", "unreachable_call.err"},
	"missing_return":            {"missing-return", "missing_return.err"},
	"load_invalid_value":        {"load invalid value", "invalid_load.err"},
	"invalid_builtin":           {"invalid-builtin-use", "invalid_builtin_use.err"},
	"nonnull_return_v1":         {"invalid-null-return", "nullable_attribute.err"},
	"nullability_return_v1":     {"invalid-null-return", "nullable_attribute.err"},
	"nonnull_arg":               {"invalid-null-argument", "nullable_attribute.err"},
	"nullability_arg":           {"invalid-null-argument", "nullable_attribute.err"},
	"implicit_conversion":       {"implicit-conversion", "implicit_conversion.err"},
	"function_type_mismatch":    {"function-type-mismatch", "exec.err"},
	"function_type_mismatch_v1": {"function-type-mismatch", "exec.err"},
}

type ubsanCheck struct{ msg, suffix string }

// ubsanKind finds the check of a handler; nil if the function is none.
func ubsanKind(name string) *ubsanCheck {
	check, ok := strings.CutPrefix(name, "__ubsan_handle_")
	if !ok {
		return nil
	}
	check = strings.TrimSuffix(check, "_abort")
	if k := ubsan[check]; k != nil {
		return k
	}
	return ubsan[strings.TrimSuffix(check, "_v1")]
}

// The data of a check: its place in the source (an address and 8 bytes), then what it is
// about: of a division the address of the type's description, of a conversion two of
// them and its kind.
const (
	ubsanPlace = 8
	ubsanFloat = 1 // kind of type: floating point
)

func (k *ubsanCheck) report(ex *Engine, st *State, c *callContext) {
	e := *k
	data := ex.find(st, c.arg(0).C)
	at := uint64(0)
	if data != nil {
		at = c.arg(0).C - data.Base
	}
	switch e.msg {
	case "integer division overflow":
		if t, ok := readAt(data, at+ubsanPlace+ex.space.AddressSize, ex.addressSize()); ok {
			if d := ex.find(st, t); d != nil {
				if kind, ok := readAt(d, t-d.Base, 2); ok && kind == ubsanFloat {
					e = ubsanCheck{"float-divide-by-zero", "div.err"}
				}
			}
		}
	case "implicit-conversion":
		if kind, ok := readAt(data, at+ubsanPlace+3*ex.space.AddressSize, 1); ok && kind <= 2 {
			e = ubsanCheck{"implicit-integer-truncation", "implicit_truncation.err"}
		}
	}
	ex.errorAt(st, e.msg, e.suffix, "")
}

// readAt reads n concrete bytes of an object.
func readAt(o *memory.Object, off uint64, n int) (uint64, bool) {
	if o == nil || off+uint64(n) > o.Size {
		return 0, false
	}
	return o.Uint(off, n)
}
