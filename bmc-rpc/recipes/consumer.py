#!/usr/bin/env python3
import hmac
import http.server
import json
import os
import subprocess
import sys
from datetime import datetime, timezone

SECRETS = [line.encode() for line in open(os.environ["RPC_SECRET_FILE"]).read().split()]
POWER = os.environ["RPC_POWER"]
DONE = {}  # (host, id): when


def is_signed(headers, body):
    signed = body + headers.get("X-Rufio-Timestamp", "").encode()
    given = headers.get("X-Rufio-Signature-256", "").split(",")
    right = ["sha256=" + hmac.new(secret, signed, "sha256").hexdigest() for secret in SECRETS]
    return any([hmac.compare_digest(a.encode(), b.encode()) for a in given for b in right])


def is_fresh(headers):
    at = datetime.strptime(headers["X-Rufio-Timestamp"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
    return abs((datetime.now(timezone.utc) - at).total_seconds()) <= 300


def power(host, word):
    return subprocess.run([POWER, host, word], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def carry_out(request):
    host, method = request["host"], request["method"]
    if method == "getPowerState":
        return power(host, "status")
    if method == "setPowerState":
        now = datetime.now()
        for action in [action for action, at in DONE.items() if (now - at).total_seconds() > 3600]:
            del DONE[action]
        action = host, request["id"]
        if action not in DONE:
            power(host, request["params"]["state"])
            DONE[action] = now
    elif method not in ("ping", "setBootDevice"):
        raise NotImplementedError(method)


class Consumer(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 65536))
        if not is_signed(self.headers, body):
            return self.answer(401, {"error": {"code": 1, "message": "wrong signature"}})
        if not is_fresh(self.headers):
            return self.answer(403, {"error": {"code": 1, "message": "too old"}})
        request = json.loads(body)
        try:
            self.answer(200, {"id": request["id"], "host": request["host"], "result": carry_out(request)})
        except NotImplementedError as method:
            self.answer(501, {"error": {"code": 1, "message": f"no method {method}"}})
        except subprocess.CalledProcessError as error:
            self.answer(500, {"error": {"code": 1, "message": str(error)}})

    def answer(self, status, content):
        text = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


# One request after the other, so that DONE needs no lock.
server = http.server.HTTPServer(("", int(sys.argv[1])), Consumer)
print(server.server_port, flush=True)
server.serve_forever()
