package linkage

import (
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// filing are the names by which C makes, looks for and changes files, or acts on processes that are not its own.
var filing = append(strings.Fields(`
openat openat64 creat creat64 mkdir mkdirat rmdir remove unlink unlinkat rename renameat renameat2 link linkat
symlink symlinkat readlink mkfifo mkfifoat mknod mknodat opendir scandir glob ftw nftw fts_open stat lstat
fstatat access truncate truncate64 chmod fchmod lchmod fchmodat chown lchown fchown fchownat utime utimes
lutimes utimensat setxattr lsetxattr removexattr lremovexattr chdir chroot getcwd realpath mkstemp mkstemps
mkostemp mkdtemp mktemp shm_open shm_unlink sem_open sem_unlink mq_open mq_unlink bind mount umount umount2
reboot swapon swapoff sethostname settimeofday clock_settime kill killpg tkill pidfd_send_signal sigqueue
syscall system popen wordexp execl execlp execle execv execvp execve execvpe fexecve posix_spawn
posix_spawnp`), Openers...)

// Filing are the functions of units that deal with files or with processes, or may call one that does. calls are those
// of the units.
func Filing(units []*csource.Unit, calls *Calls) map[Place]bool {
	names, defined := map[string]bool{}, Defined(units)
	for _, n := range filing {
		names[n] = !defined.Defines(n)
	}
	out := map[Place]bool{}
	for i, u := range units {
		if len(u.Identifiers(filing...)) == 0 {
			continue
		}
		for _, f := range u.Functions() {
			if f.Def == nil {
				continue
			}
			u.Walk(f.Def.CompoundStatement, func(n cc.Node) bool {
				x, ok := n.(*cc.PrimaryExpression)
				if !ok || x.Case != cc.PrimaryExpressionIdent || !names[x.Token.SrcStr()] {
					return true
				}
				d, isVariable := x.ResolvedTo().(*cc.Declarator)
				if isVariable {
					_, isFunction := d.Type().(*cc.FunctionType)
					isVariable = !isFunction
				}
				if !isVariable && u.Function(x.Token.SrcStr()) == nil {
					out[Place{i, f.Name}] = true
				}
				return true
			})
		}
	}
	calls.leadingTo(out)
	return out
}

// leadingTo adds what may reach one of some places.
func (g *Calls) leadingTo(places map[Place]bool) {
	for more := len(places) > 0; more; {
		more = false
		for from, next := range g.next {
			if places[g.places[from]] {
				continue
			}
			for _, to := range next {
				if places[g.places[to]] {
					places[g.places[from]], more = true, true
					break
				}
			}
		}
	}
}
