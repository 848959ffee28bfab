// Command goipmi-peer is a BMC made of the go-ipmi library, for interoperability tests.
//
//	goipmi-peer ADDRESS USER PASSWORD [SUITE]
//
// It serves IPMI v1.5 and RMCP+ (cipher suites 3 and 17, or the named one of 0 to 3 and 17) on one address until SIGINT
// or SIGTERM, and prints
// "ready ADDRESS" with the bound port once it listens. The library's own server program always listens on every
// interface, which a test must not do.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/bougou/go-ipmi/pkg/bmc"
	"github.com/bougou/go-ipmi/pkg/clock"
	"github.com/bougou/go-ipmi/pkg/hal/mock"
	"github.com/bougou/go-ipmi/pkg/server"
	"github.com/bougou/go-ipmi/pkg/transport/udp"
	"github.com/bougou/go-ipmi/pkg/types"
)

const lanChannel = 1

func main() {
	if len(os.Args) != 4 && len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: goipmi-peer ADDRESS USER PASSWORD [SUITE]")
		os.Exit(2)
	}
	if err := serve(os.Args[1], os.Args[2], os.Args[3], os.Args[4:]); err != nil {
		fmt.Fprintln(os.Stderr, "goipmi-peer:", err)
		os.Exit(1)
	}
}

func serve(address, name, password string, suites []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()

	device := bmc.DeviceInfo{
		DeviceID:                0x20,
		DeviceRevision:          1,
		FirmwareMajor:           1,
		IPMIVersion:             0x20,
		ManufacturerID:          0x157,
		ProductID:               1,
		AdditionalDeviceSupport: 0x39,
	}
	hardware := mock.New()
	if err := hardware.Storage().FRU().Write(ctx, 0, inventory()); err != nil {
		return err
	}
	hardware.SetConsole(&mock.Console{Conn: &console{waiting: []byte("login: ")}})
	options := []bmc.Option{bmc.WithClock(clock.Real)}
	for _, suite := range suites {
		id, err := strconv.ParseUint(suite, 10, 8)
		if err != nil {
			return err
		}
		options = append(options, bmc.WithCipherSuites([]types.CipherSuiteID{types.CipherSuiteID(id)}))
	}
	machine := bmc.New(device, [16]byte{'g', 'o', '-', 'i', 'p', 'm', 'i'}, hardware, options...)
	user, err := machine.Users.Add(2, name)
	if err != nil {
		return err
	}
	user.SetPassword([]byte(password))
	user.Enabled = true
	user.ChannelAccess[lanChannel] = bmc.UserChannelAccess{MaxPrivilege: bmc.PrivilegeLevelAdministrator, Enabled: true}

	socket, err := udp.Listen(address)
	if err != nil {
		return err
	}
	instance := server.NewServer(machine, socket)
	go func() {
		<-ctx.Done()
		instance.Close()
	}()
	fmt.Println("ready", socket.LocalAddr())
	if err := instance.Serve(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// inventory is a FRU inventory with a board and a product, in English.
func inventory() []byte {
	board := area([]byte{0, 0, 0, 0}, "go-ipmi", "peer board", "GO-1", "part 7", "")
	product := area([]byte{0}, "go-ipmi", "peer", "model 9", "0.9", "GO-2", "tag", "")
	header := checked([]byte{1, 0, 0, 1, byte(1 + len(board)/8), 0, 0})
	return append(append(header, board...), product...)
}

// area is an information area: format, length, what stands before the text, text, end marker, fill and checksum.
func area(head []byte, texts ...string) []byte {
	bytes := append([]byte{1, 0}, head...)
	for _, text := range texts {
		bytes = append(append(bytes, 0xc0|byte(len(text))), text...)
	}
	bytes = append(bytes, 0xc1)
	for len(bytes)%8 != 7 {
		bytes = append(bytes, 0)
	}
	bytes[1] = byte((len(bytes) + 1) / 8)
	return checked(bytes)
}

// checked appends the byte that makes the sum 0.
func checked(bytes []byte) []byte {
	var sum byte
	for _, b := range bytes {
		sum += b
	}
	return append(bytes, -sum)
}
