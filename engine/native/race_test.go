//go:build race

package native

// underRace: the race detector's shadow memory is many times the program's own.
const underRace = true
