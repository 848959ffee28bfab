package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// keys are what the server proves itself with, and what an administrator proves himself with.
type keys struct {
	servingCert, servingKey, clientCA, accountKey, accountPublic string // files
	servingCA, adminCert, adminKey                               []byte // PEM
}

func newKeys(directory string) (*keys, error) {
	servingCA, err := newAuthority("serving")
	if err != nil {
		return nil, err
	}
	clientCA, err := newAuthority("clients")
	if err != nil {
		return nil, err
	}
	servingCert, servingKey, err := servingCA.issue(&x509.Certificate{
		Subject:     pkix.Name{CommonName: "localhost"},
		DNSNames:    []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	if err != nil {
		return nil, err
	}
	adminCert, adminKey, err := clientCA.issue(&x509.Certificate{
		Subject:     pkix.Name{CommonName: "admin", Organization: []string{"system:masters"}},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	if err != nil {
		return nil, err
	}
	accountKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	accountPublic, err := x509.MarshalPKIXPublicKey(&accountKey.PublicKey)
	if err != nil {
		return nil, err
	}

	k := &keys{servingCA: servingCA.pem, adminCert: adminCert, adminKey: adminKey}
	for _, file := range []struct {
		path *string
		name string
		pem  []byte
	}{
		{&k.servingCert, "serving.crt", servingCert},
		{&k.servingKey, "serving.key", servingKey},
		{&k.clientCA, "clients.crt", clientCA.pem},
		{&k.accountKey, "accounts.key", block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(accountKey))},
		{&k.accountPublic, "accounts.pub", block("PUBLIC KEY", accountPublic)},
	} {
		*file.path = filepath.Join(directory, file.name)
		if err := os.WriteFile(*file.path, file.pem, 0o600); err != nil {
			return nil, err
		}
	}
	return k, nil
}

func (k *keys) writeKubeconfig(path, url string) error {
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters:
- name: test
  cluster:
    server: %s
    certificate-authority-data: %s
users:
- name: admin
  user:
    client-certificate-data: %s
    client-key-data: %s
contexts:
- name: test
  context: {cluster: test, user: admin, namespace: default}
current-context: test
`, url, encode(k.servingCA), encode(k.adminCert), encode(k.adminKey))
	return os.WriteFile(path, []byte(text), 0o600)
}

type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         []byte
}

func newAuthority(name string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(30 * 24 * time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{certificate, key, block("CERTIFICATE", der)}, nil
}

// issue signs a leaf certificate for a new key and returns both in PEM.
func (a *authority) issue(template *x509.Certificate) (certificate, private []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	template.SerialNumber = big.NewInt(2)
	template.NotBefore, template.NotAfter = a.certificate.NotBefore, a.certificate.NotAfter
	template.KeyUsage = x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &key.PublicKey, a.key)
	if err != nil {
		return nil, nil, err
	}
	sec1, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	return block("CERTIFICATE", der), block("EC PRIVATE KEY", sec1), nil
}

func block(kind string, der []byte) []byte {
	var out bytes.Buffer
	_ = pem.Encode(&out, &pem.Block{Type: kind, Bytes: der})
	return out.Bytes()
}

func encode(pem []byte) string { return base64.StdEncoding.EncodeToString(pem) }
