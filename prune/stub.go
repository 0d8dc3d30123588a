package prune

import "context"

type facts struct{}

func (j *job) eva(ctx context.Context) error          { return nil }
func (j *job) wp(ctx context.Context, m Method) error { return nil }
func (j *job) native(ctx context.Context) error       { return nil }
