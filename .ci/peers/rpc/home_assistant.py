#!/usr/bin/env python3
"""One switch behind the REST API that Home Assistant documents, for tests of the client.

home_assistant.py ENTITY TOKEN: listens on a free port of 127.0.0.1 and prints it. One line a request on standard output.
"""
import datetime
import http.server
import json
import sys

ENTITY, TOKEN = sys.argv[1:]
DOMAIN = ENTITY.split(".")[0]
STATE = {"value": "off"}


def describe():
    now = datetime.datetime.now(datetime.timezone.utc).isoformat()
    return {
        "entity_id": ENTITY,
        "state": STATE["value"],
        "attributes": {"friendly_name": "Rack socket", "device_class": "outlet", "current_power_w": 41.5, "locked": False},
        "last_changed": now,
        "last_reported": now,
        "last_updated": now,
        "context": {"id": "01J", "parent_id": None, "user_id": None},
    }


class Page(http.server.BaseHTTPRequestHandler):
    def answer(self, status, content):
        print(self.command, self.path, status, flush=True)
        text = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        # In one chunk, as aiohttp does for long answers.
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(text), text))

    def is_allowed(self):
        if self.headers.get("Authorization") == "Bearer " + TOKEN:
            return True
        self.answer(401, "401: Unauthorized")
        return False

    def do_GET(self):
        if not self.is_allowed():
            return
        if self.path == f"/api/states/{ENTITY}":
            self.answer(200, describe())
        else:
            self.answer(404, {"message": "Entity not found."})

    def do_POST(self):
        if not self.is_allowed():
            return
        data = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        services = {f"/api/services/{DOMAIN}/turn_on": "on", f"/api/services/{DOMAIN}/turn_off": "off"}
        if self.path not in services or self.headers.get("Content-Type") != "application/json":
            self.answer(400, {"message": "Service not found."})
            return
        changed = []
        if data == {"entity_id": ENTITY}:
            STATE["value"] = services[self.path]
            changed = [describe()]
        self.answer(200, changed)

    def log_message(self, *_):
        pass

    protocol_version = "HTTP/1.1"


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
print(server.server_port, flush=True)
server.serve_forever()
