package campaign

import "context"

// until returns what f returns or, when ctx ends before, its error at once: what computes
// for long, as reading and labelling a large source does, is left behind then, and ends
// with the process. So f writes nothing that others read or remove.
func until[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type outcome struct {
		v     T
		err   error
		panic any
	}
	done := make(chan outcome, 1)
	go func() {
		o := outcome{}
		defer func() {
			o.panic = recover() // whoever waits says it
			done <- o
		}()
		o.v, o.err = f()
	}()
	select {
	case o := <-done:
		if o.panic != nil {
			panic(o.panic)
		}
		return o.v, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
