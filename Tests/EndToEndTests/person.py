"""Somebody who speaks to the server without a screen: by the same HTTP calls as any client."""

import http.client
import json
import uuid

PASSWORD = "correct horse battery"


class Refused(Exception):
    """The server's status and body when it did not do what was asked."""

    def __init__(self, status, body):
        super().__init__(f"{status} {body}")
        self.status, self.body = status, body


class Person:
    """Signs up on first use; keeps one connection."""

    def __init__(self, server, name, display_name=None):
        self.name, self.key = name, server.key
        self.email = f"{name}@example.test"
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        self._token = None
        data = {"username": name, "display_name": display_name or name.capitalize()}
        self._take(self.call("POST", "/auth/v1/signup", {"email": self.email, "password": PASSWORD, "data": data}))

    def _sign_in(self):
        self._token = None
        credentials = {"email": self.email, "password": PASSWORD}
        self._take(self.call("POST", "/auth/v1/token?grant_type=password", credentials))

    def _take(self, session):
        self._token, self.id = session["access_token"], session["user"]["id"]

    @property
    def token(self):
        """The access token, for whoever speaks WebSocket in this name."""
        return self._token

    def call(self, method, path, body=None, prefer=None):
        """One request; what the JSON of the answer says. A token that has run out is replaced."""
        headers = {"apikey": self.key, "Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if prefer:
            headers["Prefer"] = prefer
        data = None if body is None else json.dumps(body)
        try:
            answer, text = self._exchange(method, path, data, headers)
        except ConnectionError:  # the server was started again since; every call here may be repeated
            self._connection.close()
            answer, text = self._exchange(method, path, data, headers)
        if answer.status == 401 and self._token:
            self._sign_in()
            return self.call(method, path, body, prefer)
        if answer.status >= 300:
            raise Refused(answer.status, text.decode(errors="replace"))
        return json.loads(text) if text else None

    def _exchange(self, *request):
        self._connection.request(*request)
        answer = self._connection.getresponse()
        return answer, answer.read()

    def find(self, name):
        """The id of the person with that user name."""
        people = self.call("POST", "/rest/v1/rpc/search_profiles", {"p_query": name})
        return next(one["id"] for one in people if one["username"] == name)

    def start(self, members, title=None):
        """A conversation: direct with one other without a title, a group otherwise; its id."""
        wanted = {
            "p_member_ids": members, "p_title": title, "p_is_group": title is not None or len(members) > 1,
            "p_id": str(uuid.uuid4()),
        }  # fmt: skip
        return self.call("POST", "/rest/v1/rpc/create_conversation", wanted)["id"]

    def send(self, conversation, body):
        """Sends a message; its row."""
        row = {"id": str(uuid.uuid4()), "conversation_id": conversation, "body": body}
        prefer = "return=representation,resolution=ignore-duplicates"
        return self.call("POST", "/rest/v1/messages?on_conflict=id", row, prefer)[0]

    def send_many(self, conversation, bodies):
        """Sends messages in batches, in order."""
        for start in range(0, len(bodies), 500):
            rows = [
                {"id": str(uuid.uuid4()), "conversation_id": conversation, "body": body}
                for body in bodies[start : start + 500]
            ]
            self.call("POST", "/rest/v1/messages", rows, "return=minimal")

    def bodies(self, conversation):
        """The texts of the newest thousand messages, oldest first."""
        path = f"/rest/v1/messages?select=body&conversation_id=eq.{conversation}&order=created_at.desc,id.desc"
        return [row["body"] for row in reversed(self.call("GET", path + "&limit=1000"))]

    def conversations(self):
        """The rows of the conversation list, newest activity first."""
        return self.call("POST", "/rest/v1/rpc/list_conversations", {"p_limit": 200})

    def mark_read(self, conversation):
        """Reads everything up to the newest message."""
        self.call("POST", "/rest/v1/rpc/mark_read", {"p_conversation_id": conversation})
