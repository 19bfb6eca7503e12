"""Accounts from the shell: `login`, `logout`, `accounts`, and whom the program trusts on the way."""

import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading

import pytest

from client import CONNECTED, SENT, Client
from person import PASSWORD, Person
from server import free_port
from tlsproxy import Authority, TLSProxy

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def run(binary, surroundings):
    """Runs the program without a terminal: its exit status, output and complaints."""

    def start(*words, name="ana", answers=""):
        done = subprocess.run(
            [binary, *map(str, words)], input=answers, env=surroundings(name), capture_output=True, text=True, timeout=30
        )
        return done.returncode, done.stdout, done.stderr

    return start


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path / "authority")


@pytest.fixture
def secure(server, authority):
    """TLS in front of the server."""
    one = TLSProxy(server.port, authority.issue())
    yield one
    one.close()


def sign_up(run, address, name, *options):
    words = ("login", address, "--sign-up", "--email", f"{name}@example.test", *options)
    return run(*words, name=name, answers=f"{name}\n{name.capitalize()}\n{PASSWORD}\n")


def write_settings(home, text):
    folder = home / "config/pingline"
    folder.mkdir(parents=True, mode=0o700, exist_ok=True)
    (folder / "config.toml").write_text(text)


# On a terminal


def test_login_asks_in_silence_and_the_screen_opens_connected(terminal, binary, server, tmp_path, client_of):
    Person(server, "ana")
    shell = terminal([binary, "login", server.url], umask=0)
    shell.wait_text("E-mail:")
    shell.type("ana@example.test\r")
    shell.wait_text(r"Make a new account\? \[y/N\]:")
    shell.type("\r")
    shell.wait_text("Password:")
    shell.type(PASSWORD)
    shell.wait_idle()
    assert PASSWORD.encode() not in pathlib.Path(f"/proc/{shell.process.pid}/cmdline").read_bytes()
    shell.key("Enter")
    shell.wait_text("Signed in: ana@example.test at http://127.0.0.1")
    assert shell.wait_exit() == 0
    assert shell.leftovers() == []
    assert PASSWORD.encode() not in shell.output
    kept = [path for path in (tmp_path / "ana").rglob("*") if path.is_file()]
    assert [path for path in kept if PASSWORD.encode() in path.read_bytes()] == []
    assert [path for path in kept if "pingline" in str(path) and path.stat().st_mode & 0o077] == []
    assert [path for path in kept if path.name == "secrets.json"]
    client_of("ana").terminal.wait_text(CONNECTED)


def test_a_new_account_is_made_from_the_shell(terminal, binary, server, run):
    shell = terminal([binary, "login", server.url, "--label", "team"])
    for question, answer in (
        ("E-mail", "ana@example.test"), (r"\[y/N\]", "y"), ("User name .*", "ana"), ("Shown name .*", "Ana"),
        ("Password", "not the same"), ("again", PASSWORD), ("Password", PASSWORD), ("again", PASSWORD),
    ):  # fmt: skip
        shell.wait_text(question + r":\n")
        shell.wait_idle()
        shell.type(answer + "\r")
    assert "The two are not the same." in shell.text
    shell.wait_text("Made an account and signed in: ana@example.test")
    assert shell.wait_exit() == 0
    assert PASSWORD.encode() not in shell.output
    status, listed, _ = run("accounts")
    assert status == 0
    assert re.fullmatch(r"[0-9a-f]{8}  team  ana@example.test  http://127.0.0.1:\d+  signed in\n", listed)


@pytest.mark.parametrize("ending", ["C-c", signal.SIGTERM, signal.SIGHUP])
def test_an_end_at_the_password_gives_the_echo_back(terminal, binary, server, ending):
    shell = terminal([binary, "login", server.url, "--email", "ana@example.test", "--sign-up"])
    shell.wait_text("User name")
    shell.type("ana\r\r")
    shell.wait_text("Password:")
    shell.type("half a pass")
    shell.wait_idle()
    if ending == "C-c":
        shell.key("C-c")
    else:
        shell.signal(ending)
    assert shell.wait_exit() == -(signal.SIGINT if ending == "C-c" else ending)
    assert shell.leftovers() == []
    assert b"half a pass" not in shell.output


def test_a_stop_at_the_password_gives_the_echo_to_the_shell(terminal, binary, server):
    Person(server, "ana")
    window = terminal(["bash", "--norc", "--noprofile", "-i"])
    window.wait_text(r"\$|#")
    window.type(f"{binary} login {server.url} --email ana@example.test\r")
    window.wait_text(r"\[y/N\]:")
    window.type("\r")
    window.wait_text("Password:")
    window.key("C-z")
    window.wait_text("Stopped")
    window.type("echo $((40 + 2)) again\r")
    window.wait_text(r"echo \$\(\(40 \+ 2\)\) again")  # shown as it was typed
    window.wait_text("42 again")
    window.type("fg\r")
    window.wait_text(r"(?s)again.*Password:")
    window.wait_idle()
    window.type(PASSWORD + "\r")
    window.wait_text("Signed in: ana@example.test")
    assert PASSWORD.encode() not in window.output
    window.type("echo $((50 + 5)) at last\r")
    window.wait_text("55 at last")


# From a pipe


def test_answers_come_from_a_pipe(run, server):
    assert sign_up(run, server.url, "ana") == (
        0, f"Made an account and signed in: ana@example.test at {server.url}.\nStart pingline to chat.\n", ""
    )  # fmt: skip
    status, _, complaint = run("login", server.url, answers="ana@example.test\nwrong horse\n")
    assert (status, complaint) == (77, "E-mail or password is wrong. Type them again.\n")
    status, _, complaint = run("login", server.url, answers="ana@example.test\n")
    assert (status, complaint) == (64, "Password: the input ended before that. Give each answer a line of its own.\n")
    assert run("login", server.url, "--email", "ana@example.test", answers=PASSWORD)[0] == 0


@pytest.mark.parametrize(
    ("address", "options", "status", "words"),
    [
        ("http://127.0.0.1:1", (), 69, "The server cannot be reached."),
        ("https://no-such-name.invalid", (), 69, "The server's name is not found."),
        ("http://chat.example.test", (), 64, "would not be encrypted"),
        ("ftp://chat.example.test", (), 64, "That is no server address."),
        ("https://supabase.com/dashboard/project/abcdefghijklmnopqrst/settings", (), 64, "abcdefghijklmnopqrst.supabase.co"),
        ("postgresql://postgres:hush@db.abcdefghijklmnopqrst.supabase.co/postgres", (), 64, "the project's database"),
        ("https://127.0.0.1:1", ("--key", "sb_secret_hush"), 64, "This is a secret key"),
        ("https://127.0.0.1:1", ("--ca-file", "/nowhere/ca.pem"), 78, "The file of trusted certificates is not there."),
        ("https://127.0.0.1:1", ("--password", "hush"), 64, "A password is no argument"),
    ],
)
def test_what_is_wrong_is_said_before_a_password_is_asked_for(run, address, options, status, words):
    code, out, complaint = run("login", address, *options)
    assert code == status and words in complaint and out == ""
    assert "hush" not in complaint


def test_a_wrong_key_and_a_server_of_something_else(run, server):
    status, _, complaint = run("login", server.url, "--key", "sb_publishable_wrong")
    assert (status, complaint) == (77, "The server does not know this key. Check the key.\n")
    status, _, complaint = run("login", server.url + "/elsewhere", "--key", server.key)
    assert (status, complaint) == (69, "There is no Pingline server at this address. Check the address.\n")
    assert run("login", server.url + "/auth/v1/", "--email", "a@b.test", answers="wrong horse\n")[0] == 77


class Hosted(http.server.BaseHTTPRequestHandler):
    """A project as its gateway answers; the sign-in is refused as the server's `refusal` says."""

    def do_GET(self):
        known = self.path == "/auth/v1/settings" and self.headers["apikey"] == "sb_publishable_1"
        self._answer(*(200, {"external": {"email": True}}) if known else (404, {"error": "requested path is invalid"}))

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        status, code = self.server.refusal
        self._answer(status, {"code": code, "message": "x"})

    def _answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.mark.parametrize(
    ("refusal", "status", "words"),
    [
        ((400, "email_not_confirmed"), 75, "The e-mail address is not confirmed yet."),
        ((429, "over_request_rate_limit"), 75, "Too many tries."),
        ((400, "invalid_credentials"), 77, "E-mail or password is wrong."),
        ((540, "project_paused"), 69, "This project is paused."),
        ((503, "unavailable"), 69, "The server is not available."),
    ],
)
def test_a_hosted_projects_refusals_have_words(run, refusal, status, words):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hosted) as project:
        project.refusal = refusal
        threading.Thread(target=project.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{project.server_port}"
        code, _, complaint = run("login", address, "--email", "ana@example.test", answers=PASSWORD + "\n")
        assert (code, complaint) == (64, "This server wants a key. Enter its publishable key; its owner knows it.\n")
        words_of = ("login", address, "--key", "sb_publishable_1", "--email", "ana@example.test")
        code, _, complaint = run(*words_of, answers=PASSWORD + "\n")
        project.shutdown()
    assert code == status and complaint.startswith(words)


# Beside a screen


def test_an_account_that_a_screen_has_open_is_said_to_be(client_of, server, run):
    ana = client_of("ana", server.url)
    ben = Person(server, "ben")
    pid = ana.terminal.process.pid
    status, out, _ = run("login", server.url, "--email", "ana@example.test", answers=PASSWORD + "\n")
    assert status == 0 and f"The account is open in another place: process {pid} on" in out
    assert f"open in process {pid} on" in run("accounts")[1]
    status, _, complaint = run("logout")
    assert status == 75 and f"process {pid}" in complaint
    ben.send(ben.start([ben.find("ana")]), "still there?")
    ana.terminal.wait_text("still there?")
    assert ana.quit() == 0
    status, out, _ = run("logout", "ana@example.test")
    assert status == 0 and out.startswith("Signed out: ana@example.test")
    assert json.loads(run("accounts", "--json")[1]) == []
    client_of("ana").terminal.wait_text("Welcome to Pingline")


# Whom to trust


def test_a_private_authority_is_named_and_then_trusted(run, secure, authority, client_of, tmp_path):
    status, _, complaint = sign_up(run, secure.url, "ana")
    assert status == 76
    assert complaint.startswith("The server's certificate is from an unknown issuer: Team CA. If the issuer is your")
    assert sign_up(run, secure.url, "ana", "--ca-file", os.path.relpath(authority.certificate))[0] == 0
    ana = client_of("ana")
    ana.terminal.wait_text(CONNECTED)
    ana.command("accounts")
    ana.terminal.wait_text("┌ Accounts")
    ana.terminal.wait_text(r"E-mail +ana@example\.test")
    ana.terminal.wait_text("Trusts +the system and")
    ana.terminal.key("Esc")
    # The settings say it for all servers, or for one.
    for count, (name, block) in enumerate((("ben", "[network]"), ("cleo", f'[[accounts]]\nname = "t"\nurl = "{secure.url}"'))):
        write_settings(tmp_path / name, f'{block}\nca_file = "{"ca.pem" if count else authority.certificate}"\n')
        shutil.copy(authority.certificate, tmp_path / name / "config/pingline/ca.pem")
        assert sign_up(run, secure.url, name)[0] == 0
    ben, cleo = client_of("ben"), client_of("cleo")
    ben.terminal.wait_text(CONNECTED)
    cleo.terminal.wait_text(CONNECTED)
    ben.start("cleo")
    ben.send("through TLS")
    ben.wait_mark("through TLS", SENT)
    cleo.terminal.wait_text("through TLS")


def test_the_form_names_a_wrong_certificate(client_of, secure):
    ana = client_of("ana")
    ana.sign_up(secure.url, "ana")
    ana.terminal.wait_text(r"The server's certificate is from an unknown")
    ana.terminal.wait_text(r"Team CA\.")
    ana.terminal.wait_text(r"ca_file in config\.toml")
    assert ana.terminal.row_of("▌ ")  # the form is open for another try


@pytest.mark.parametrize(
    ("site", "words"),
    [
        ({"name": "DNS:chat.example.org,DNS:www.example.org"}, "is for chat.example.org, www.example.org."),
        ({"end": "20210304050607Z"}, "expired on 2021-03-04."),
        ({"start": "20980101000000Z"}, "counts only from 2098-01-01 on."),
    ],
)
def test_what_is_wrong_with_a_certificate_is_named(run, secure, authority, site, words):
    secure.present(*authority.issue(**site))
    status, _, complaint = sign_up(run, secure.url, "ana", "--ca-file", authority.certificate)
    assert status == 76 and complaint.startswith("The server's certificate " + words)


def test_a_certificate_that_runs_out_is_named_in_the_banner_and_comes_back(run, secure, authority, client_of):
    assert sign_up(run, secure.url, "ana", "--ca-file", authority.certificate)[0] == 0
    ana = client_of("ana")
    ana.terminal.wait_text(CONNECTED)
    secure.present(*authority.issue(end="20210304050607Z"))
    ana.terminal.wait_text(r"! The server's certificate expired on 2021-03-04\. · next try in [45]\d s")
    ana.command("accounts")
    ana.terminal.wait_text(r"Tell who runs the server\.")
    ana.terminal.key("Esc")
    ana.terminal.wait_gone("┌ Accounts")
    secure.present(*authority.issue())
    ana.terminal.key("M-r")
    ana.terminal.wait_text(CONNECTED)


def test_a_file_of_certificates_that_is_gone_is_named(run, secure, authority, client_of, tmp_path):
    write_settings(tmp_path / "ana", f'[[accounts]]\nname = "t"\nurl = "{secure.url}"\nca_file = "~/ca.pem"\n')
    copy = shutil.copy(authority.certificate, tmp_path / "ana/ca.pem")
    assert sign_up(run, secure.url, "ana")[0] == 0
    os.unlink(copy)
    ana = client_of("ana")
    ana.terminal.wait_text("! The file of trusted certificates is not there.")
    assert ana.quit() == 0
    assert b"config.toml, ca_file of t: The file of trusted certificates is not there." in ana.terminal.output


# The proxy of the documentation


@pytest.mark.skipif(not shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin"), reason="nginx is not installed")
def test_two_people_talk_through_the_documented_proxy(run, server, authority, client_of, tmp_path):
    page = (ROOT / "Docs/Supabase.md").read_text()
    block = re.search(r"```nginx\n(.*?)```", page, re.DOTALL)[1]
    certificate, key = authority.issue("DNS:localhost")
    port = free_port()
    for old, new in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"), ("chat.example.org", "localhost"),
        ("/etc/nginx/chat.crt", str(certificate)), ("/etc/nginx/chat.key", str(key)), ("127.0.0.1:4747", f"127.0.0.1:{server.port}"),
    ):  # fmt: skip
        assert old in block
        block = block.replace(old, new)
    folder = tmp_path / "nginx"
    folder.mkdir()
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;\n" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log {folder}/access.log;\n{paths}{block}}}\n"
    )
    nginx = subprocess.Popen(
        ["nginx", "-c", folder / "nginx.conf", "-e", folder / "error.log"], env=os.environ | {"PATH": os.environ["PATH"] + ":/usr/sbin"},
    )  # fmt: skip
    try:
        address = f"https://localhost:{port}"
        people = []
        for name in ("ana", "ben"):
            for _ in range(50):  # until it listens
                status, _, complaint = sign_up(run, address, name, "--ca-file", authority.certificate)
                if status != 69:
                    break
            assert status == 0, complaint
            people.append(client_of(name))
            people[-1].terminal.wait_text(CONNECTED)
        ana, ben = people
        ana.start("ben")
        ana.send("hello through the proxy")
        ben.terminal.wait_text("hello through the proxy")
        ben.open("Ana")
        ana.wait_mark("hello through the proxy", "✔✔")
        picture = tmp_path / "picture.bin"
        picture.write_bytes(os.urandom(3 << 20))  # more than nginx takes by itself
        ana.command(f"attach {picture}")
        ana.terminal.wait_text(r"⤓ picture\.bin 3\.1 MB")
        ana.send("with a file")
        ana.wait_mark(f"{picture.name} 3.1 MB", SENT)
        assert ana.quit() == ben.quit() == 0
    finally:
        nginx.terminate()
        nginx.wait()
    told = (folder / "access.log").read_text()
    assert '/realtime/v1/websocket' in told and 'HTTP/1.1" 101 ' in told and 'HTTP/2.0" 200 ' in told and '" 413 ' not in told
