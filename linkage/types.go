package linkage

import (
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// libraryTypes are types that headers of the C library define, as they are where addresses
// have 64 bits; those that are no integers are nothing that a program's own could be.
var libraryTypes = map[string]cc.Kind{
	"int8_t": cc.SChar, "int16_t": cc.Short, "int32_t": cc.Int, "int64_t": cc.Long, "uint8_t": cc.UChar,
	"uint16_t": cc.UShort, "uint32_t": cc.UInt, "uint64_t": cc.ULong, "intptr_t": cc.Long, "uintptr_t": cc.ULong,
	"intmax_t": cc.Long, "uintmax_t": cc.ULong, "int_least8_t": cc.SChar, "int_least16_t": cc.Short,
	"int_least32_t": cc.Int, "int_least64_t": cc.Long, "uint_least8_t": cc.UChar, "uint_least16_t": cc.UShort,
	"uint_least32_t": cc.UInt, "uint_least64_t": cc.ULong, "int_fast8_t": cc.SChar, "int_fast16_t": cc.Long,
	"int_fast32_t": cc.Long, "int_fast64_t": cc.Long, "uint_fast8_t": cc.UChar, "uint_fast16_t": cc.ULong,
	"uint_fast32_t": cc.ULong, "uint_fast64_t": cc.ULong, "size_t": cc.ULong, "ssize_t": cc.Long,
	"ptrdiff_t": cc.Long, "wchar_t": cc.Int, "off_t": cc.Long, "loff_t": cc.Long, "quad_t": cc.Long,
	"u_quad_t": cc.ULong, "u_char": cc.UChar, "u_short": cc.UShort, "u_int": cc.UInt, "u_long": cc.ULong,
	"u_int8_t": cc.UChar, "u_int16_t": cc.UShort, "u_int32_t": cc.UInt, "u_int64_t": cc.ULong,
	"ushort": cc.UShort, "uint": cc.UInt, "ulong": cc.ULong, "register_t": cc.Long, "dev_t": cc.ULong,
	"ino_t": cc.ULong, "mode_t": cc.UInt, "nlink_t": cc.ULong, "uid_t": cc.UInt, "gid_t": cc.UInt, "id_t": cc.UInt,
	"pid_t": cc.Int, "key_t": cc.Int, "clock_t": cc.Long, "time_t": cc.Long, "clockid_t": cc.Int,
	"useconds_t": cc.UInt, "suseconds_t": cc.Long, "blksize_t": cc.Long, "blkcnt_t": cc.Long, "daddr_t": cc.Int,
	"fsblkcnt_t": cc.ULong, "fsfilcnt_t": cc.ULong, "socklen_t": cc.UInt, "float_t": cc.Float, "double_t": cc.Double,
	"caddr_t": cc.Ptr, "timer_t": cc.Ptr, "fsid_t": cc.InvalidKind, "fd_set": cc.InvalidKind,
	"sigset_t": cc.InvalidKind, "div_t": cc.InvalidKind, "ldiv_t": cc.InvalidKind, "lldiv_t": cc.InvalidKind,
	"fpos_t": cc.InvalidKind, "FILE": cc.InvalidKind, "max_align_t": cc.InvalidKind,
}

// HidesTypes are the names of types of the library under which a unit, and none of the
// headers that it includes, has another type.
func HidesTypes(u *csource.Unit) (names []string) {
	for name, nodes := range u.AST.Scope.Nodes {
		kind, is := libraryTypes[name]
		if is && own(u, name, nodes) && slices.ContainsFunc(nodes, func(n cc.Node) bool {
			d, ok := n.(*cc.Declarator)
			return ok && d.IsTypename() && d.Type().Kind() != kind
		}) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
