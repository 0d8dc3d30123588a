//go:build !(linux && amd64)

package toolchain

// SetBreakpoints is known for Linux on amd64 alone.
func SetBreakpoints(pid int, entry uint64, places []uint64) (*Breakpoints, error) {
	return nil, ErrNoBreakpoints
}
