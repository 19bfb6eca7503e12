"""Who uses the server: each through a client of their own, with what it was answered last."""

import contextlib
import uuid

import httpx
from postgrest.exceptions import APIError
from supabase import ClientOptions, create_client

PASSWORD = "correct horse"


def options(**more):
    """Of a client that renews nothing by itself, so that a step sees only what it asked for."""
    return ClientOptions(auto_refresh_token=False, **more)


def new_id():
    return str(uuid.uuid4())


class Anybody:
    """A client that presents the key and no more."""

    def __init__(self, server, name=None):
        self.server, self.name = server, name
        self.last = None  # the last answer: its status and headers
        self._http = httpx.Client(timeout=30, event_hooks={"response": [self._keep]})
        self.client = create_client(server.url, server.key, options(httpx_client=self._http))

    def _keep(self, answer):
        self.last = answer

    def close(self):
        self._http.close()

    def table(self, name):
        return self.client.table(name)

    def rpc(self, name, **arguments):
        """What the function answered."""
        return self.client.rpc(name, {f"p_{key}": value for key, value in arguments.items()}).execute().data

    def refused(self, query):
        """The code and status with which the call is refused; a call that is not refused fails the step."""
        try:
            answer = query.execute()
        except APIError as error:
            return error.code, self.last.status_code
        raise AssertionError(f"not refused, but answered {answer.data}")

    def refused_rpc(self, name, **arguments):
        return self.refused(self.client.rpc(name, {f"p_{key}": value for key, value in arguments.items()}))

    def raw(self, method, path, token=None, headers=(), **more):
        """A request that the official client would not make; its answer."""
        sent = {"apikey": self.server.key, "Authorization": f"Bearer {token or self.token or self.server.key}"}
        return self._http.request(method, self.server.url + path, headers=sent | dict(headers), **more)

    def group(self, *members, title="Crew"):
        """A new group with these people; its id."""
        arguments = {"member_ids": [one.id for one in members], "title": title, "is_group": True, "id": new_id()}
        return self.rpc("create_conversation", **arguments)["id"]

    def send(self, conversation, body, **more):
        """Sends one message; its row."""
        row = {"id": new_id(), "conversation_id": conversation, "body": body} | more
        return self.table("messages").insert(row).execute().data[0]

    def send_all(self, conversation, *bodies):
        """Sends several, in this order; their rows."""
        return [self.send(conversation, body) for body in bodies]

    @property
    def token(self):
        session = self.client.auth.get_session()
        return session.access_token if session else None


class Person(Anybody):
    """Somebody signed up, and signed in."""

    def __init__(self, server, name):
        super().__init__(server, name)
        self.email, self.password = f"{name}@example.test", PASSWORD
        data = {"username": name if len(name) > 2 else name + "_" + name, "display_name": name.capitalize()}
        self.username = data["username"]
        self.signed_up = self.client.auth.sign_up(
            {"email": self.email, "password": self.password, "options": {"data": data}}
        )
        self.id = self.signed_up.user.id

    def again(self):
        """A second client of the same person, in a session of its own."""
        other = Anybody(self.server, self.name)
        other.id, other.username = self.id, self.username
        other.client.auth.sign_in_with_password({"email": self.email, "password": self.password})
        return other


class People(dict):
    """People by name, whose clients are closed at the end."""

    def __init__(self, server, *names):
        super().__init__({name: Person(server, name) for name in names})
        self.server = server

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for person in self.values():
            person.close()


@contextlib.contextmanager
def somebody(server, name):
    """A person of one step."""
    person = Person(server, name)
    try:
        yield person
    finally:
        person.close()


@contextlib.contextmanager
def nobody(server):
    """Who has the key and never signed in."""
    anybody = Anybody(server)
    try:
        yield anybody
    finally:
        anybody.close()
