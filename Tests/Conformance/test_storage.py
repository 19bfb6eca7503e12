"""Files: who may put, read, share, list and remove them."""

import base64
import contextlib
import json
import os
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import httpx
import pytest
from moments import pass_by
from people import Anybody, new_id, nobody
from storage3.exceptions import StorageApiError
from tokens import setting

BUCKET = "attachments"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
LIMIT = 52_428_800


class Case:
    """A conversation of Ada and Bo, and the folder of one message in it."""

    def __init__(self, ada, bo):
        self.conversation, self.message = ada.group(bo), new_id()
        self.folder = f"{self.conversation}/{self.message}"
        self.cat = f"{self.folder}/cat.png"

    def other(self, name="file"):
        """A path of another message of the conversation."""
        return f"{self.conversation}/{new_id()}/{name}"


@pytest.fixture
def case(ada, bo):
    return Case(ada, bo)


def files(person, bucket=BUCKET):
    return person.client.storage.from_(bucket)


def put(person, path, content=PNG, kind="image/png", bucket=BUCKET, **more):
    return files(person, bucket).upload(path, content, {"content-type": kind} | more)


def refused(call, *arguments, **more):
    """The status in the body of the refusal that the call must come to, and its error."""
    with pytest.raises(StorageApiError) as caught:
        call(*arguments, **more)
    return str(caught.value.status), caught.value.code


def status_of(call, *arguments, **more):
    return refused(call, *arguments, **more)[0]


def fetch(person, path, **headers):
    """A download by hand."""
    return person.raw("GET", f"/storage/v1/object/{BUCKET}/{path}", headers=headers)


@contextlib.contextmanager
def owner(server):
    """The project's owner: a client with the service role."""
    service = Anybody(SimpleNamespace(url=server.url, key=setting(server, "service_key")))
    try:
        yield service
    finally:
        service.close()


def test_step_100_upload_and_replace(ada, case):
    answer = put(ada, case.cat)
    assert (answer.path, answer.full_path) == (case.cat, f"{BUCKET}/{case.cat}")
    assert refused(put, ada, case.cat) == ("409", "Duplicate")
    assert ada.last.status_code == 400
    put(ada, case.cat, b"second", upsert="true")
    assert files(ada).download(case.cat) == b"second"
    assert files(ada).update(case.cat, b"third", {"content-type": "image/png"}).path == case.cat
    assert files(ada).download(case.cat) == b"third"


def test_step_101_members_read(ada, bo, xi, case):
    put(ada, case.cat)
    assert files(bo).download(case.cat) == PNG
    assert refused(files(xi).download, case.cat) == ("404", "not_found")
    info = files(bo).info(case.cat)
    assert (info["size"], info["content_type"], info["name"]) == (len(PNG), "image/png", case.cat)
    assert files(bo).exists(case.cat) is True
    assert files(bo).exists(case.other()) is False


def test_step_102_signed_addresses(server, ada, case):
    put(ada, case.cat)
    put(ada, case.other("dog.png"))
    url = files(ada).create_signed_url(case.cat, 60)["signedURL"]
    plain = httpx.get(url)
    assert (plain.status_code, plain.content) == (200, PNG)
    assert plain.headers["content-type"] == "image/png" and "expires" in plain.headers

    def error(address):
        answer = httpx.get(address)
        return answer.status_code, answer.json()["error"]

    assert error(url[:-10] + ("A" if url[-10] != "A" else "B") + url[-9:]) == (400, "InvalidJWT")
    assert error(url.replace("cat.png", "dog.png")) == (400, "InvalidSignature")
    short = files(ada).create_signed_url(case.cat, 1)["signedURL"]
    pass_by(time.monotonic() + 2)
    assert error(short) == (400, "InvalidJWT")

    found, missing = files(ada).create_signed_urls([case.cat, case.other()], 60)
    assert found["error"] is None and found["path"] == case.cat
    assert httpx.get(found["signedURL"]).content == PNG
    assert missing["signedURL"] is None and missing["error"]

    named = httpx.get(files(ada).create_signed_url(case.cat, 60, {"download": "x.png"})["signedURL"])
    assert named.content == PNG
    assert named.headers["content-disposition"].startswith("attachment")
    assert "x.png" in named.headers["content-disposition"]


def test_step_103_lists(ada, case):
    put(ada, case.cat)
    (entry,) = files(ada).list(case.folder)
    assert (entry["name"], entry["metadata"]["size"], entry["metadata"]["mimetype"]) == (
        "cat.png", len(PNG), "image/png",
    )  # fmt: skip
    assert entry["id"]
    (folder,) = files(ada).list(case.conversation)
    assert (folder["name"], folder["id"], folder["metadata"]) == (case.message, None, None)


def test_step_104_sizes_types_and_paths(server, ada, bo, xi, case):
    large = os.urandom(1 << 20) * 50
    assert len(large) == LIMIT
    path = case.other("large")
    put(ada, path, large, "application/octet-stream")
    assert files(bo).download(path) == large
    path = case.other("larger")
    assert status_of(put, ada, path, large + b"x", "application/octet-stream") == "413"
    assert files(ada).exists(path) is False
    put(ada, case.other("it.zip"), b"PK", "application/zip")

    for kind in ("text/html", "image/svg+xml"):
        path = case.other("page")
        put(ada, path, b"<p>", kind)
        signed = files(ada).create_signed_url(path, 60)["signedURL"]
        for answer in (fetch(ada, path), httpx.get(signed)):
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/plain")
            assert answer.headers["content-disposition"].startswith("attachment")
        assert files(ada).info(path)["content_type"] == kind

    with owner(server) as service:
        bucket = "pictures-" + new_id()[:8]
        service.client.storage.create_bucket(bucket, options={"allowed_mime_types": ["image/png"]})
        put(service, "one.png", bucket=bucket)
        answer = refused(put, service, "one.html", b"<p>", "text/html", bucket=bucket)
        assert answer == ("415", "invalid_mime_type")

    for path in ("../x", f"{case.conversation}/a//b", f"{case.conversation}/a%01b/c"):
        answer = ada.raw("POST", f"/storage/v1/object/{BUCKET}/{path.replace('..', '%2E%2E')}", content=b"x")
        assert (answer.status_code, answer.json()["statusCode"]) == (400, "400"), path
    foreign = f"{bo.group()}/{new_id()}/cat.png"
    assert refused(put, ada, foreign) == ("403", "Unauthorized")
    assert status_of(put, xi, case.other()) == "403"
    with nobody(server) as other:
        assert status_of(put, other, case.other()) in ("403", "404")


def test_step_105_removal_is_the_uploaders(ada, bo, case):
    put(ada, case.cat)
    assert files(bo).remove([case.cat]) == []
    assert files(bo).download(case.cat) == PNG
    (entry,) = files(ada).remove([case.cat])
    assert entry["name"] == case.cat
    assert status_of(files(ada).download, case.cat) == "404"


def test_step_106_parts_repeats_and_broken_uploads(server, ada, bo, case):
    content = bytes(range(256))
    put(ada, case.cat, content)
    part = fetch(bo, case.cat, Range="bytes=0-9")
    assert (part.status_code, part.content) == (206, content[:10])
    assert part.headers["content-range"] == "bytes 0-9/256"
    whole = fetch(bo, case.cat)
    assert whole.headers["accept-ranges"] == "bytes" and whole.headers["content-length"] == "256"
    same = fetch(bo, case.cat, **{"If-None-Match": whole.headers["etag"]})
    assert (same.status_code, same.content) == (304, b"")

    both, path = [ada.again(), ada.again()], case.other("twice")

    def attempt(person):
        try:
            return put(person, path, person.id.encode() * 1_000, "text/plain").path
        except StorageApiError as error:
            return error.code

    with ThreadPoolExecutor(2) as pool:
        outcomes = sorted(pool.map(attempt, both))
    assert outcomes == sorted([path, "Duplicate"])
    for person in both:
        person.close()

    path = case.other("broken")
    broken_upload(server, ada.token, path)
    assert files(ada).exists(path) is False
    assert files(ada).list(path.rpartition("/")[0]) == []
    put(ada, path, b"whole", "text/plain")


def broken_upload(server, token, path):
    """Promises a thousand bytes and goes away after ten."""
    head = [
        f"POST /storage/v1/object/{BUCKET}/{path} HTTP/1.1", "Host: x", f"apikey: {server.key}",
        f"Authorization: Bearer {token}", "Content-Type: text/plain", "Content-Length: 1000", "", "0123456789",
    ]  # fmt: skip
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall("\r\n".join(head).encode())


def test_step_107_bodies_of_both_forms(ada, bo, case):
    for name in ("file", ""):
        path, edge = case.other("form"), "edge" + new_id()
        fields = [
            ('name="cacheControl"', "", b"3600"),
            (f'name="{name}"; filename="cat.png"', "Content-Type: image/png\r\n", PNG),
            ('name="metadata"', "", json.dumps({"a": 1}).encode()),
        ]
        parts = [
            f"--{edge}\r\nContent-Disposition: form-data; {which}\r\n{kind}\r\n".encode() + content + b"\r\n"
            for which, kind, content in fields
        ]
        body = b"".join(parts) + f"--{edge}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={edge}"}
        answer = ada.raw("POST", f"/storage/v1/object/{BUCKET}/{path}", headers=kind, content=body)
        assert answer.status_code == 200, answer.text
        assert answer.json()["Key"] == f"{BUCKET}/{path}" and answer.json()["Id"]
        assert files(bo).download(path) == PNG
        assert files(bo).info(path)["content_type"] == "image/png"
    raw = ada.raw(
        "PUT", f"/storage/v1/object/{BUCKET}/{path}", headers={"Content-Type": "text/x-plain"}, content=b"raw",
    )  # fmt: skip
    assert raw.status_code == 200, raw.text
    assert files(bo).download(path) == b"raw"
    assert files(bo).info(path)["content_type"] == "text/x-plain"
