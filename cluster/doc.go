// Package cluster lets many machines work on one campaign: a coordinator, which is
// the campaign itself, hands slices of its plan to workers through NATS JetStream.
//
// It exists so that neither the plan nor the engines know of machines. To a campaign
// a cluster is an engine.Engine: a run of it is a message on a work queue, its
// output directory fills with the tests that a worker sends, and Wait returns what
// the worker's engine said at the end. To an engine on a worker nothing has changed
// either: it reads a live view and writes tests.
//
// It promises: only the coordinator judges and stores. A slice is acknowledged when
// its result is in the coordinator's stream, and handed out again when its worker
// falls silent; after a few failed attempts it is set aside with the reasons. Tests
// count whenever they come, once or twice, in any order: a test is judged by
// what it is. The statistics of a slice count once. What a coordinator had not judged when it was killed is
// judged by its successor. Beyond loopback there are always TLS and a token.
//
//   - message.go: what goes over the wire, and its names
//   - secret.go, server.go: who may take part; the embedded server
//   - coordinator.go, results.go, remote.go: the campaign's side, as an engine
//   - images.go: programs by content
//   - feed.go, merge.go, viewfile.go: the live view, from one store to many machines
//   - worker.go, member.go, slice.go: a worker's side
//   - status.go, metrics.go: what people and Prometheus see
//
// Limits: a worker is believed when it says that it has explored all: it runs the same
// release, is let in by the secret, and is trusted. Workers run what a coordinator
// sends, confined as engines are on one machine. A corpus of the fuzzer stays on the worker
// that has made it; others begin with the tests that met labels.
package cluster
