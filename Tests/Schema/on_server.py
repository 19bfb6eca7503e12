"""Scenarios on `pingline serve`: each step is the request that a client sends."""

import contextlib
import http.client
import json
import urllib.parse

from actions import Call, Delete, Insert, ListFiles, Read, Refused, RemoveFile, SignUp, Update, Upload

# What PostgREST answers for an error of PostgreSQL; anybody who is not signed in gets 401 for 42501.
STATUS = {
    "22023": 400, "22P02": 400, "23502": 400, "23503": 409, "23505": 409, "23514": 400, "42501": 403, "PT404": 404,
}  # fmt: skip
# What the storage service answers for the same, as the status in the body of its error.
STORAGE_CODE = {"403": "42501", "409": "23505"}
PASSWORD = "correct horse battery"
RESOLUTION = {None: "", "ignored": ",resolution=ignore-duplicates", "merged": ",resolution=merge-duplicates"}


class EmbeddedServer:
    """Callers are user ids; `None` is nobody. One connection serves them all."""

    name = "server"

    def __init__(self, server):
        self._key = server.key
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        self._tokens = {}

    @contextlib.contextmanager
    def undone(self):
        """Nothing is: a scenario makes its own conversations, and the people it changes."""
        yield

    def do(self, caller, action):
        """What the caller gets: rows, a value, or a refusal."""
        match action:
            case Read(table, match):
                return self._ask(caller, "GET", f"/rest/v1/{table}?{query(match)}")
            case Insert(table, row, conflict, key):
                place = f"/rest/v1/{table}" + (f"?on_conflict={key}" if conflict else "")
                return self._ask(caller, "POST", place, row, RESOLUTION[conflict])
            case Update(table, match, change):
                return self._ask(caller, "PATCH", f"/rest/v1/{table}?{query(match)}", change)
            case Delete(table, match):
                return self._ask(caller, "DELETE", f"/rest/v1/{table}?{query(match)}")
            case Call(function, arguments):
                return self._ask(caller, "POST", f"/rest/v1/rpc/{function}", arguments)
            case SignUp(email, data):
                return self._sign_up(email, data)
            case Upload(path):
                place = f"/storage/v1/object/attachments/{path}"
                stored = self._store(caller, "POST", place, "bytes", {"x-upsert": str(action.replaces).lower()})
                return stored if isinstance(stored, Refused) else {"name": stored["Key"].removeprefix("attachments/")}
            case ListFiles(folder):
                return self._store(caller, "POST", "/storage/v1/object/list/attachments", {"prefix": folder})
            case RemoveFile(path):
                return self._store(caller, "DELETE", "/storage/v1/object/attachments", {"prefixes": [path]})
        raise TypeError(action)

    def _sign_up(self, email, data):
        body = {"email": email, "password": PASSWORD, "data": data}
        session = self._ask(None, "POST", "/auth/v1/signup", body)
        own = session["user"]["id"]
        self._tokens[own] = session["access_token"]
        return self._ask(own, "GET", f"/rest/v1/profiles?{query({'id': own})}")[0]

    def _ask(self, caller, method, path, body=None, resolution=""):
        status, found = self._send(caller, method, path, body, {"Prefer": "return=representation" + resolution})
        if status < 300:
            return found
        code = found["code"]
        wanted = 401 if code == "42501" and caller is None else STATUS.get(code)
        assert status == wanted, f"{status} with {found}"
        return Refused(code)

    def _store(self, caller, method, path, body, headers=None):
        status, found = self._send(caller, method, path, body, headers or {})
        if status < 300:
            return found
        assert found["statusCode"] in STORAGE_CODE, f"{status} with {found}"
        return Refused(STORAGE_CODE[found["statusCode"]])

    def _send(self, caller, method, path, body, headers):
        """The status and what the JSON of the answer says."""
        headers |= {
            "apikey": self._key, "Authorization": f"Bearer {self._tokens[caller] if caller else self._key}",
            "Content-Type": "text/plain" if isinstance(body, str) else "application/json",
        }  # fmt: skip
        data = body if body is None or isinstance(body, str) else json.dumps(body)
        self._connection.request(method, path, data, headers)
        answer = self._connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None


def query(match):
    """Filters of equality."""
    parts = [(column, "is.null" if value is None else f"eq.{value}") for column, value in match.items()]
    return urllib.parse.urlencode([("select", "*"), *parts])
