package prune

import "context"

func (j *job) wp(ctx context.Context, m Method) error { return nil }
func (j *job) native(ctx context.Context) error       { return nil }
