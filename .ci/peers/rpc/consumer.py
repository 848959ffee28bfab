#!/usr/bin/env python3
"""A webhook consumer that knows only the wire description, for tests of the client.

consumer.py CONFIG.json: listens on a free port of 127.0.0.1 and prints it. One JSON line a request on standard output:
what was received and whether it was accepted. CONFIG holds

    method                  the HTTP method that is expected
    content_type            the Content-Type that is expected, or null
    secrets                 {"sha256": [..], "sha512": [..]}: one signature for each, in this order
    signature_header        its name, before -256 or -512
    algorithm_in_header     whether -256 or -512 is appended
    algorithm_in_signature  whether a signature begins with "sha256=" or "sha512="
    timestamp_header        its name, or null
    timestamp_format        for datetime.strptime
    signed_headers          names of the headers whose values follow the body in what is signed, in order
    static_headers          {"name": "value"} that every request must have
    path                    keys that lead to the request inside the body, [] if it is the body
"""
import datetime
import hmac
import http.server
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    CONFIG = json.load(file)

MACHINES = {}


class Refused(Exception):
    pass


def check(condition, why):
    if not condition:
        raise Refused(why)


def check_signatures(headers, body):
    signed = body + b"".join((headers.get(name) or "").encode("latin-1") for name in CONFIG["signed_headers"])
    for algorithm, secrets in CONFIG["secrets"].items():
        name = CONFIG["signature_header"]
        if CONFIG["algorithm_in_header"]:
            name += "-" + algorithm.removeprefix("sha")
        # The header comes once for each algorithm if its name does not tell which one.
        lists = [value.split(",") for value in headers.get_all(name) or []]
        prefix = algorithm + "=" if CONFIG["algorithm_in_signature"] else ""
        expected = [prefix + hmac.new(secret.encode(), signed, algorithm).hexdigest() for secret in secrets]
        found = any(
            len(given) == len(expected) and all(hmac.compare_digest(a, b) for a, b in zip(given, expected))
            for given in lists
        )
        check(found, f"{name}: {lists} instead of {expected}")


def check_time(headers):
    if CONFIG["timestamp_header"] is None:
        return
    text = headers.get(CONFIG["timestamp_header"])
    check(text is not None, "no timestamp")
    told = datetime.datetime.strptime(text, CONFIG["timestamp_format"]).replace(tzinfo=datetime.timezone.utc)
    age = abs((datetime.datetime.now(datetime.timezone.utc) - told).total_seconds())
    check(age < 60, f"timestamp {text} is {age} s off")


def carry_out(request):
    machine = MACHINES.setdefault(request["host"], {"state": "off", "boot": None, "media": {}})
    method, params = request["method"], request.get("params")
    if method == "ping":
        check("params" not in request, "ping with params")
        return "pong"
    if method == "getPowerState":
        check("params" not in request, "getPowerState with params")
        return machine["state"]
    if method == "setPowerState":
        check(list(params) == ["state"], f"params {params}")
        machine["state"] = {"on": "on", "off": "off", "soft": "off", "cycle": "on", "reset": machine["state"]}[params["state"]]
        return None
    if method == "setBootDevice":
        check(list(params) == ["device", "persistent", "efiBoot"], f"params {params}")
        check(isinstance(params["persistent"], bool) and isinstance(params["efiBoot"], bool), f"params {params}")
        machine["boot"] = params
        return None
    if method == "setVirtualMedia":
        check(list(params) == ["mediaUrl", "kind"], f"params {params}")
        machine["media"][params["kind"]] = params["mediaUrl"]
        return None
    raise Refused(f"method {method}")


class Consumer(http.server.BaseHTTPRequestHandler):
    def handle_any(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        report = {"http": self.command, "headers": self.headers.items(), "body": body.decode()}
        try:
            check(self.command == CONFIG["method"], f"method {self.command}")
            check(self.headers.get("Content-Type") == CONFIG["content_type"], "content type")
            for name, value in CONFIG["static_headers"].items():
                check(self.headers.get(name) == value, f"header {name}")
            check_signatures(self.headers, body)
            check_time(self.headers)
            whole = request = json.loads(body)
            for key in CONFIG["path"]:
                request = request[key]
            members = ["id", "host", "method", "params"]
            check(list(request) == members[: len(request)], f"members {list(request)}")
            check(isinstance(request["id"], int) and 0 < request["id"] < 2**53, f"id {request['id']}")
            check(json.dumps(whole, separators=(",", ":"), ensure_ascii=False) == body.decode(), "not compact")
            answer = {"id": request["id"], "host": request["host"], "result": carry_out(request)}
            status = 200
            report["accepted"] = True
        except (Refused, KeyError, TypeError, ValueError) as error:
            answer, status = {"error": {"code": 1, "message": str(error)}}, 400
            report["accepted"], report["why"] = False, str(error)
        print(json.dumps(report), flush=True)
        text = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_POST = do_PUT = do_PATCH = handle_any

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Consumer)
print(server.server_port, flush=True)
server.serve_forever()
