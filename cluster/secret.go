package cluster

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/nats-io/nats.go"

	"klabel/fault"
)

// secret is what lets workers in: a token, and the certificate that the server
// shows. It is one file, made once, that people bring to the workers' machines.
type secret struct {
	token string
	cert  []byte // PEM; nil: no TLS
	key   []byte // PEM, of the server alone
}

// serverName is what the certificate is for: the same on every machine.
const serverName = "klabel-cluster"

var tokenLine = regexp.MustCompile(`(?m)^token ([0-9A-Za-z]{16,})$`)

// readSecret reads a secret's file; "" is none.
func readSecret(path string) (*secret, error) {
	if path == "" {
		return nil, nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fault.WithHint(fmt.Errorf("the cluster's secret: %w", err),
			"copy it from the coordinator: DIR.klabel/cluster/secret")
	}
	m := tokenLine.FindSubmatch(b)
	if m == nil {
		return nil, fault.Usagef("%s is no secret of a cluster: it has no line \"token ...\"", path)
	}
	s := &secret{token: string(m[1])}
	if at := bytes.Index(b, []byte("-----BEGIN CERTIFICATE-----")); at >= 0 {
		s.cert = b[at:]
	}
	return s, nil
}

// makeSecret reads the secret of a server, and makes it where there is none.
func makeSecret(path string) (*secret, error) {
	s, err := readSecret(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = writeSecret(path); err == nil {
			s, err = readSecret(path)
		}
	}
	if err != nil {
		return nil, err
	}
	if s.key, err = os.ReadFile(path + ".key"); err != nil {
		return nil, fmt.Errorf("the key of the cluster's certificate: %w", err)
	}
	return s, nil
}

func writeSecret(path string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return err
	}
	from := time.Now().Add(-time.Hour) // machines' clocks differ
	template := &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: serverName},
		DNSNames: []string{serverName}, NotBefore: from, NotAfter: from.AddDate(5, 0, 0), IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	token := make([]byte, 24)
	if _, err := rand.Read(token); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(path+".key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}),
		0o600); err != nil {
		return err
	}
	text := fmt.Sprintf("# whoever has this file can take part in the campaign\ntoken %s\n%s",
		hex.EncodeToString(token), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return os.WriteFile(path, []byte(text), 0o600)
}

// server is the TLS configuration of the embedded server.
func (s *secret) server() (*tls.Config, error) {
	pair, err := tls.X509KeyPair(s.cert, s.key)
	if err != nil {
		return nil, fmt.Errorf("the cluster's certificate: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}, nil
}

// client are the options of a connection; none for no secret.
func (s *secret) client() ([]nats.Option, error) {
	if s == nil {
		return nil, nil
	}
	out := []nats.Option{nats.Token(s.token)}
	if s.cert != nil {
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(s.cert) {
			return nil, fault.Usagef("the certificate in the cluster's secret cannot be read")
		}
		out = append(out, nats.Secure(&tls.Config{RootCAs: roots, ServerName: serverName,
			MinVersion: tls.VersionTLS13}))
	}
	return out, nil
}
