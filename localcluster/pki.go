package localcluster

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// authority signs certificates. Its key is thrown away once they are signed.
type authority struct {
	folder      string
	certificate *x509.Certificate
	key         crypto.Signer
}

// newAuthority writes NAME.crt, by which its signatures are known.
func newAuthority(folder, name string) (*authority, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: "localcluster " + name},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	a := &authority{folder: folder, certificate: template, key: key}
	if a.certificate, err = a.sign(template, key); err != nil {
		return nil, err
	}
	return a, writePEM(filepath.Join(folder, name+".crt"), "CERTIFICATE", a.certificate.Raw)
}

// issue writes NAME.crt and NAME.key for a server on loopback that is also the client given:
// user and groups, as RBAC knows them.
func (a *authority) issue(name, user string, groups ...string) error {
	return a.issueAt(nil, name, user, groups...)
}

// issueAt is issue for a server that has other addresses, too.
func (a *authority) issueAt(addresses []net.IP, name, user string, groups ...string) error {
	key, err := a.writeKey(name)
	if err != nil {
		return err
	}
	certificate, err := a.sign(&x509.Certificate{
		Subject:     pkix.Name{CommonName: user, Organization: groups},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		DNSNames:    []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"},
		IPAddresses: append([]net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}, addresses...),
	}, key)
	if err != nil {
		return err
	}
	return writePEM(filepath.Join(a.folder, name+".crt"), "CERTIFICATE", certificate.Raw)
}

// writeKey writes NAME.key, and NAME.pub for those who only check signatures.
func (a *authority) writeKey(name string) (crypto.Signer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, err
	}
	path := filepath.Join(a.folder, name)
	if err := writePEM(path+".pub", "PUBLIC KEY", public); err != nil {
		return nil, err
	}
	return key, writePEM(path+".key", "EC PRIVATE KEY", private)
}

func (a *authority) sign(template *x509.Certificate, holder crypto.Signer) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	template.SerialNumber = serial
	template.NotBefore = time.Now().Add(-time.Hour)
	template.NotAfter = time.Now().AddDate(10, 0, 0)
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, holder.Public(), a.key)
	if err != nil {
		return nil, fmt.Errorf("cannot sign the certificate of %s: %w", template.Subject.CommonName, err)
	}
	return x509.ParseCertificate(der)
}

func writePEM(path, kind string, der []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}
