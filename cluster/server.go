package cluster

import (
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"klabel/fault"
)

// maxPayload bounds a message on the embedded server: a test is one.
const maxPayload = 8 << 20

// startServer starts a NATS server in this process, with its streams in dir.
// Beyond loopback, or with a secret's file named, it asks for TLS and the token.
func startServer(listen, dir, secretFile string) (*server.Server, *secret, error) {
	host, port, err := splitListen(listen)
	if err != nil {
		return nil, nil, err
	}
	o := &server.Options{ServerName: serverName, Host: host, Port: port, JetStream: true,
		StoreDir: filepath.Join(dir, "streams"), NoSigs: true, NoLog: true, MaxPayload: maxPayload,
		MaxPending: 64 << 20, PingInterval: 10 * time.Second, MaxPingsOut: 3, DisableShortFirstPing: true}
	var s *secret
	if secretFile != "" || !isLoopback(host) {
		if secretFile == "" {
			secretFile = filepath.Join(dir, "secret")
		}
		if s, err = makeSecret(secretFile); err != nil {
			return nil, nil, err
		}
		o.Authorization = s.token
		if o.TLSConfig, err = s.server(); err != nil {
			return nil, nil, err
		}
		o.TLS, o.TLSTimeout = true, 5
	}
	srv, err := server.NewServer(o)
	if err != nil {
		return nil, nil, fmt.Errorf("the cluster's server: %w", err)
	}
	if err := mayListen(net.JoinHostPort(host, strconv.Itoa(max(port, 0)))); err != nil {
		return nil, nil, fault.WithHint(fmt.Errorf("--listen: %w", err), "--listen HOST:PORT with another port")
	}
	said := &lastWord{}
	srv.SetLoggerV2(said, false, false, false)
	go srv.Start()
	if !srv.ReadyForConnections(time.Minute) {
		srv.Shutdown()
		return nil, nil, fmt.Errorf("the cluster's server does not start with its streams in %s: %s", o.StoreDir, said)
	}
	return srv, s, nil
}

// mayListen asks for an address, and gives it back: the server would say only late that it
// is taken. A process that another goroutine starts meanwhile would hold it until it runs its
// program, and the server could not have it: none is started.
func mayListen(address string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	return l.Close()
}

// lastWord keeps what a server said last that is of importance: it tells its caller nothing else.
type lastWord struct {
	mu   sync.Mutex
	text string
}

func (l *lastWord) keep(format string, v ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = fmt.Sprintf(format, v...)
	log.Debugf("server: %s", l.text)
}

func (l *lastWord) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text == "" {
		return "it takes too long"
	}
	return l.text
}

func (l *lastWord) Warnf(format string, v ...any)  { l.keep(format, v...) }
func (l *lastWord) Errorf(format string, v ...any) { l.keep(format, v...) }
func (l *lastWord) Fatalf(format string, v ...any) { l.keep(format, v...) }
func (l *lastWord) Noticef(string, ...any)         {}
func (l *lastWord) Debugf(string, ...any)          {}
func (l *lastWord) Tracef(string, ...any)          {}

// splitListen reads HOST:PORT; without a host it is every interface, as elsewhere.
func splitListen(listen string) (host string, port int, err error) {
	if !strings.Contains(listen, ":") {
		listen = ":" + listen
	}
	host, p, err := net.SplitHostPort(listen)
	if err == nil {
		port, err = strconv.Atoi(p)
	}
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fault.Usagef("--listen %q: want HOST:PORT or :PORT", listen)
	}
	if host == "" {
		host = "0.0.0.0"
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return host, port, nil
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// connect joins a server; it goes on trying for ever when it has once been there.
func connect(url, name string, s *secret, more ...nats.Option) (*nats.Conn, error) {
	o, err := s.client()
	if err != nil {
		return nil, err
	}
	o = append(o, nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(200*time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond), nats.PingInterval(6*time.Second),
		nats.MaxPingsOutstanding(2), nats.Timeout(5*time.Second), nats.ReconnectBufSize(64<<20),
		nats.IgnoreAuthErrorAbort(), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			log.Debugf("%s: %v", name, err) // the library would print it
		}))
	nc, err := nats.Connect(url, append(o, more...)...)
	if err != nil {
		return nil, fault.WithHint(fmt.Errorf("%s: %w", redacted(url), err),
			"is a server there ('klabel run --listen :4222'), and is --secret its secret?")
	}
	return nc, nil
}

// redacted is a URL without what stands before @.
func redacted(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		scheme, rest = "nats", url
	}
	if at := strings.LastIndex(rest, "@"); at >= 0 {
		rest = rest[at+1:]
	}
	return scheme + "://" + rest
}
