"""client.py ADDRESS PORT USER PASSWORD KG COMMAND [ARGUMENT]...: one command through pyghmi's client, the answer as JSON.

KG is a BMC key in hexadecimal, or "-". COMMAND is a method of pyghmi.ipmi.command.Command; arguments are JSON.
"""

import json
import sys

from pyghmi.ipmi import command


def plain(value):
    """Values of pyghmi's own classes as their public attributes."""
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if hasattr(value, "__next__"):
        return list(value)
    return {name: held for name, held in vars(value).items() if not name.startswith("_")}


def main():
    address, port, user, password, kg, method, *arguments = sys.argv[1:]
    session = command.Command(
        bmc=address, port=int(port), userid=user, password=password, kg=None if kg == "-" else bytes.fromhex(kg)
    )
    answer = getattr(session, method)(*map(json.loads, arguments))
    print(json.dumps(answer, default=plain, sort_keys=True))
    session.ipmi_session.logout()


main()
