package local

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/takt-dev/takt/agent/contract"
)

// What Kubeflow Trainer sets in the environment of a training.
const (
	KubeflowURL   = "KUBEFLOW_TRAINER_SERVER_URL"
	KubeflowCA    = "KUBEFLOW_TRAINER_SERVER_CA_CERT"
	KubeflowToken = "KUBEFLOW_TRAINER_SERVER_TOKEN"
)

// Environment is what a training has to have in its environment to find the endpoint at an address, such as
// 127.0.0.1:40123. What Kubeflow's clients want to read is written into the folder, if there is one. An environment
// that has any of Kubeflow's variables already, even an empty one, keeps them as they are.
func (e *Endpoint) Environment(before []string, address, folder string) ([]string, error) {
	after := append(slices.Clone(before), contract.URLVariable+"=http://"+address, contract.TokenVariable+"="+e.token)
	for _, name := range []string{KubeflowURL, KubeflowCA, KubeflowToken} {
		if has(before, name) {
			return pastProxies(after), nil
		}
	}
	if folder == "" {
		return pastProxies(after), nil // else they would be written over files of the training, in the folder that it is in
	}
	token, ca := filepath.Join(folder, "token"), filepath.Join(folder, "ca.crt")
	if err := os.WriteFile(token, []byte(e.token), 0o600); err != nil {
		return pastProxies(after), fmt.Errorf("the token for Kubeflow's protocol cannot be written: %w", err)
	}
	certificate, err := anyCertificate(time.Now())
	if err == nil {
		err = os.WriteFile(ca, certificate, 0o600)
	}
	if err != nil {
		return pastProxies(after), fmt.Errorf("the certificate for Kubeflow's protocol cannot be written: %w", err)
	}
	after = append(after, KubeflowURL+"=http://"+address+KubeflowPath, KubeflowToken+"="+token, KubeflowCA+"="+ca)
	return pastProxies(after), nil
}

func has(environment []string, name string) bool { return index(environment, name) >= 0 }

func index(environment []string, name string) int {
	return slices.IndexFunc(environment, func(one string) bool { return strings.HasPrefix(one, name+"=") })
}

// pastProxies sees to it that a training which uses a proxy asks none for this address: it would wait for an answer
// that cannot come, each time that it tells its progress.
func pastProxies(environment []string) []string {
	uses := slices.ContainsFunc([]string{"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"}, func(name string) bool {
		return has(environment, name)
	})
	if !uses {
		return environment
	}
	const here = "127.0.0.1"
	found := false
	for _, name := range []string{"no_proxy", "NO_PROXY"} {
		at := index(environment, name)
		if at < 0 {
			continue
		}
		found = true
		_, value, _ := strings.Cut(environment[at], "=")
		exceptions := strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
		if !slices.Contains(exceptions, here) && value != "*" {
			environment[at] = name + "=" + strings.Join(append(exceptions, here), ",")
		}
	}
	if !found {
		environment = append(environment, "no_proxy="+here)
	}
	return environment
}

// anyCertificate is a certificate of nobody. Clients of Kubeflow Trainer load one before they look at the address,
// which is one without TLS here.
func anyCertificate(now time.Time) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "takt-agent"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(10, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}
