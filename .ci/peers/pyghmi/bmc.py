"""bmc.py fake|virtualbmc ADDRESS PORT USER PASSWORD: serves one BMC of pyghmi's making on UDP ADDRESS:PORT.

`fake` is a machine in memory; `virtualbmc` is OpenStack's VirtualBMC for the domain `test` of libvirt's test driver.
Prints "ready ADDRESS:PORT" when the port is bound, then a line for each change of the machine; ends with its parent.
"""

import os
import sys
import threading
import time
import uuid

import pyghmi.ipmi.bmc as bmc


def tell(line):
    print(line, flush=True)


class Fake(bmc.Bmc):
    """A machine that switches at once."""

    power = "off"
    boot = "default"

    def get_system_guid(self):
        return uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")

    def get_power_state(self):
        return self.power

    def _switch(self, *states):
        for self.power in states:
            tell(f"power {self.power}")

    def power_on(self):
        self._switch("on")

    def power_off(self):
        self._switch("off")

    def power_shutdown(self):
        self._switch("off")

    def power_cycle(self):
        if self.power == "off":
            return 0xD5
        self._switch("off", "on")
        return 0

    def power_reset(self):
        tell("reset")

    def get_boot_device(self):
        return self.boot

    def set_boot_device(self, bootdevice):
        self.boot = bootdevice
        tell(f"boot {bootdevice}")

    def cold_reset(self):
        tell("cold reset")
        return 0


def virtualbmc(address, port, user, password):
    import libvirt
    from virtualbmc import vbmc

    uri = "test:///default"
    # The test driver forgets everything when its last connection closes.
    libvirt.registerErrorHandler(lambda *_: None, None)
    server = vbmc.VirtualBMC(user, password, port, address, "test", uri)
    server.kept_open = libvirt.open(uri)
    return server


def end_with(parent):
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)


def main():
    kind, address, port, user, password = sys.argv[1:]
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    if kind == "virtualbmc":
        server = virtualbmc(address, int(port), user, password)
    else:
        server = Fake({user: password}, port=int(port), address=address)
    tell(f"ready {address}:{port}")
    server.listen()


main()
