"""TLS in front of the server, with certificates of an authority that only the test knows."""

import contextlib
import pathlib
import socket
import ssl
import subprocess
import threading

SETTINGS = """
[ca]
default_ca = team
[team]
database = {folder}/index.txt
new_certs_dir = {folder}
rand_serial = yes
default_md = sha256
unique_subject = no
policy = any
x509_extensions = site
[any]
commonName = supplied
[site]
subjectAltName = {name}
"""
NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


class Authority:
    """Signs certificates; `certificate` is its own, for those who trust it."""

    def __init__(self, folder, name="Team CA"):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.certificate = self.folder / "ca.pem"
        self._key = self.folder / "ca.key"
        self._count = 0
        openssl(
            "req", "-x509", *NEW_KEY, "-days", "30", "-subj", f"/CN={name}", "-keyout", self._key, "-out", self.certificate
        )

    def issue(self, name="IP:127.0.0.1", start="20200101000000Z", end="20991231235959Z"):
        """The files of a certificate for that name and time, and of its key."""
        self._count += 1
        site, key, request = (self.folder / f"site-{self._count}.{kind}" for kind in ("pem", "key", "csr"))
        settings = self.folder / "ca.conf"
        settings.write_text(SETTINGS.format(folder=self.folder, name=name))
        (self.folder / "index.txt").write_text("")
        openssl("req", *NEW_KEY, "-subj", "/CN=site", "-keyout", key, "-out", request)
        openssl(
            "ca", "-batch", "-notext", "-config", settings, "-cert", self.certificate, "-keyfile", self._key, "-in", request,
            "-out", site, "-startdate", start, "-enddate", end,
        )  # fmt: skip
        return site, key


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, stdin=subprocess.DEVNULL, capture_output=True)


class TLSProxy:
    """Takes TLS on a port of its own and passes on what is inside. `present` changes who it says it is."""

    def __init__(self, target_port, site):
        self._target = ("127.0.0.1", target_port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._open = set()
        self.present(*site)
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self):
        return f"https://127.0.0.1:{self.port}"

    def present(self, certificate, key):
        """Shows another certificate from now on, and ends the connections there are."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self._context = context
        self._cut()

    def close(self):
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._cut()

    def _cut(self):
        for one in list(self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _accept(self):
        while True:
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return  # closed
            threading.Thread(target=self._serve, args=(plain, self._context), daemon=True).start()

    def _serve(self, plain, context):
        """The server's side is read by a thread of its own: TLS sockets of Python may be read and written at once."""
        with contextlib.suppress(OSError), context.wrap_socket(plain, server_side=True) as outer:
            with socket.create_connection(self._target) as inner:
                pair = {outer, inner}
                self._open |= pair
                back = threading.Thread(target=self._pump, args=(inner, outer), daemon=True)
                back.start()
                self._pump(outer, inner)
                back.join()
                self._open -= pair

    def _pump(self, source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        for one in (source, sink):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
