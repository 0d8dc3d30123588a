// Package memory is the address space of one symbolic state: objects with
// bounds, byte by byte concrete or symbolic, copied on write.
//
// Every state owns a Space. Fork makes two Spaces that share everything; a
// write copies the object (for large objects: the page of 64 bytes) that it touches and the
// path of the index that leads to it. This is what lets a million
// states live at a time in 8 GB.
//
// Addresses are plain numbers, of 64 or 32 bits (Layout). An object starts a slot
// and is followed by bytes that belong to nothing, so that an
// access a little out of bounds is noticed. Addresses are never used twice
// within a state: a dangling pointer points nowhere, and the region of its
// address tells a freed block from a left stack frame.
//
// Limits: the package knows nothing about control flow or solving. Symbolic
// offsets are handled by the caller, which asks for single bytes.
package memory
