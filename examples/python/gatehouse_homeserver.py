"""Starts temporary Matrix homeservers for tests. Copy this file into your tests; it needs only Python 3.9 or later.

The command is `node_modules/.bin/gatehouse`, or the value of the environment variable GATEHOUSE.
"""

import json
import os
import shlex
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request


class Homeserver:
    """A homeserver in a child process, which ends with this process, even if that is killed."""

    def __init__(self, users=(), seed=None, config=None):
        """Start it. `seed` and `config` are dictionaries, or paths of YAML files."""
        command = shlex.split(os.environ.get("GATEHOUSE", os.path.join("node_modules", ".bin", "gatehouse")))
        arguments = ["serve", "--temporary", "--json", "--secrets", "--until-stdin-ends", "--no-console"]
        for user in users:
            arguments += ["--user", user]
        with tempfile.TemporaryDirectory() as folder:
            for option, content in (("seed", seed), ("config", config)):
                if isinstance(content, dict):
                    path = os.path.join(folder, option + ".yaml")
                    with open(path, "w") as file:
                        json.dump(content, file)  # JSON is also YAML.
                    content = path
                if content:
                    arguments += ["--" + option, content]
            self._process = subprocess.Popen(
                command + arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"The homeserver did not start: exit code {self._process.wait()}")
        facts = json.loads(line)
        self.url = facts["url"]
        self.server_name = facts["server_name"]
        self.admin_token = facts["access_token"]
        self.users = facts.get("users", {})
        self.rooms = facts.get("rooms", {})
        self.media = facts.get("media", {})

    def call(self, method, path, body=None, token=None):
        """Send a request and return its status and JSON."""
        request = urllib.request.Request(self.url + path, method=method)
        if token:
            request.add_header("Authorization", "Bearer " + token)
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, data) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def api(self, method, path, body=None):
        """Call the test API under /_gatehouse/v1."""
        status, reply = self.call(method, "/_gatehouse/v1" + path, body, self.admin_token)
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {reply['errcode']}: {reply['error']}")
        return reply

    def jwt(self, sub, **claims):
        """Return a login token, valid for an hour."""
        now = self.api("GET", "/clock")["now_ts"] // 1000
        claims = {"sub": sub, "iat": now, "exp": now + 3600, **claims}
        return self.api("POST", "/jwt/mint", {"claims": claims})["token"]

    def requests(self, **filters):
        """Return the requests so far, filtered by path, method, user and status. With timeout, wait for one."""
        query = urllib.parse.urlencode({"limit": 1000, **filters})
        return self.api("GET", "/inspector/requests?" + query)["requests"]

    def advance(self, duration):
        """Advance the server's clock by milliseconds or a duration such as 90s, 15m or 1h."""
        self.api("POST", "/clock", {"advance": duration})

    def fail(self, **rule):
        """Add a fault: path, user, method, times; status, delay_ms, retry_after_ms, malformed or cut."""
        return self.api("POST", "/faults", rule)

    def reset(self):
        """Restore the state after the start."""
        self.api("POST", "/reset")

    def snapshot(self, name):
        """Save the current state, for `restore`."""
        self.api("PUT", "/snapshots/" + urllib.parse.quote(name, safe=""))

    def restore(self, name):
        """Restore a snapshot."""
        self.api("POST", "/snapshots/" + urllib.parse.quote(name, safe="") + "/restore")

    def stop(self):
        """Stop the server and delete its data."""
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
