// Command kubernetes-peer runs a kube-apiserver and its etcd for tests.
//
//	kubernetes-peer BINARIES DIRECTORY
//
// BINARIES holds kube-apiserver and etcd; everything else lands in DIRECTORY, which must be empty or absent. Both
// listen on free loopback ports. When /readyz answers, "ready DIRECTORY/kubeconfig" is printed; the kubeconfig is a
// cluster administrator's. Authorisation is RBAC. There is no controller manager, so no garbage collection, no
// namespace finalisation and no service account tokens but requested ones.
//
// It runs until SIGINT, SIGTERM or the death of its parent, and never leaves a server behind: the kernel ends them
// with it even when it is killed.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

const (
	startLimit = 60 * time.Second
	stopLimit  = 15 * time.Second
	attempts   = 3
)

// The kernel's death signal follows the thread that forked, so the main thread does it.
func init() { runtime.LockOSThread() }

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: kubernetes-peer BINARIES DIRECTORY")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	ctx, orphaned := context.WithCancel(ctx)
	go watchParent(os.Getppid(), orphaned)
	if err := run(ctx, os.Args[1], os.Args[2]); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "kubernetes-peer:", err)
		os.Exit(1)
	}
}

func watchParent(parent int, orphaned func()) {
	for os.Getppid() == parent {
		time.Sleep(200 * time.Millisecond)
	}
	orphaned()
}

func run(ctx context.Context, binaries, directory string) error {
	directory, err := filepath.Abs(directory)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return err
	}
	pid := filepath.Join(directory, "pid")
	if err := os.WriteFile(pid, []byte(fmt.Sprintln(os.Getpid())), 0o600); err != nil {
		return err
	}
	defer os.Remove(pid)
	keys, err := newKeys(directory)
	if err != nil {
		return err
	}
	// A port can be taken between being found free and being bound.
	for attempt := 1; ; attempt++ {
		err := serve(ctx, binaries, directory, keys)
		if err == nil || ctx.Err() != nil || attempt == attempts || !errors.Is(err, errNeverReady) {
			return err
		}
	}
}

var errNeverReady = errors.New("a server ended before it was ready")

func serve(ctx context.Context, binaries, directory string, keys *keys) error {
	ports, err := freePorts(3)
	if err != nil {
		return err
	}
	client := fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	peer := fmt.Sprintf("http://127.0.0.1:%d", ports[1])
	url := fmt.Sprintf("https://127.0.0.1:%d", ports[2])
	data := filepath.Join(directory, "etcd")
	if err := os.RemoveAll(data); err != nil {
		return err
	}

	etcd, err := start(directory, filepath.Join(binaries, "etcd"),
		"--data-dir="+data,
		"--listen-client-urls="+client, "--advertise-client-urls="+client,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=default="+peer,
		"--unsafe-no-fsync=true",
	)
	if err != nil {
		return err
	}
	defer etcd.stop()
	apiserver, err := start(directory, filepath.Join(binaries, "kube-apiserver"),
		"--etcd-servers="+client,
		"--cert-dir="+filepath.Join(directory, "certs"),
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", ports[2]),
		"--tls-cert-file="+keys.servingCert, "--tls-private-key-file="+keys.servingKey,
		"--client-ca-file="+keys.clientCA,
		"--authorization-mode=RBAC", "--allow-privileged=true",
		"--disable-admission-plugins=ServiceAccount",
		"--service-cluster-ip-range=10.0.0.0/24",
		"--service-account-issuer="+url+"/",
		"--service-account-key-file="+keys.accountPublic, "--service-account-signing-key-file="+keys.accountKey,
	)
	if err != nil {
		return err
	}
	// Without its etcd a kube-apiserver hangs for minutes: it goes first.
	defer apiserver.stop()

	if err := awaitReady(ctx, url, keys, etcd, apiserver); err != nil {
		return err
	}
	kubeconfig := filepath.Join(directory, "kubeconfig")
	if err := keys.writeKubeconfig(kubeconfig, url); err != nil {
		return err
	}
	fmt.Println("ready", kubeconfig)
	select {
	case <-ctx.Done():
		return nil
	case <-etcd.ended:
		return fmt.Errorf("etcd ended: see %s", etcd.log)
	case <-apiserver.ended:
		return fmt.Errorf("kube-apiserver ended: see %s", apiserver.log)
	}
}

func awaitReady(ctx context.Context, url string, keys *keys, servers ...*child) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(keys.servingCA)
	client := http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		for _, server := range servers {
			select {
			case <-server.ended:
				return fmt.Errorf("%w: see %s", errNeverReady, server.log)
			default:
			}
		}
		// Anyone may ask for readyz: the built-in role system:public-info-viewer says so.
		if answer, err := client.Get(url + "/readyz"); err == nil {
			answer.Body.Close()
			if answer.StatusCode == 200 {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("not ready after %s: see the logs in %s", startLimit, filepath.Dir(servers[0].log))
		case <-tick.C:
		}
	}
}

type child struct {
	process *os.Process
	ended   chan struct{}
	log     string
}

func start(directory, program string, arguments ...string) (*child, error) {
	log, err := os.Create(filepath.Join(directory, filepath.Base(program)+".log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	command := exec.Command(program, arguments...)
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if err := command.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	return &child{command.Process, ended, log.Name()}, nil
}

func (c *child) stop() {
	_ = c.process.Signal(syscall.SIGTERM)
	select {
	case <-c.ended:
	case <-time.After(stopLimit):
		_ = c.process.Kill()
		<-c.ended
	}
}

func freePorts(count int) ([]int, error) {
	ports := make([]int, 0, count)
	for range count {
		socket, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer socket.Close()
		ports = append(ports, socket.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
