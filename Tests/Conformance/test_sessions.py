"""Sessions: how they are renewed, shared and ended."""

import time

from moments import pass_by, soon
from people import nobody, somebody
from supabase import create_client
from test_auth import refusal

WINDOW = 1.0  # seconds in which a spent token of this server is forgiven


def test_step_008_refresh_tokens_rotate(server, ada):
    first_client = ada.again()
    auth = first_client.client.auth
    first = auth.get_session()
    second = auth.refresh_session().session
    spent = time.monotonic()
    assert second.access_token != first.access_token
    assert second.refresh_token != first.refresh_token
    with nobody(server) as other:
        refresh = other.client.auth.refresh_session
        assert refresh(first.refresh_token).session.refresh_token == second.refresh_token
        pass_by(spent + WINDOW + 0.2)
        # Still forgiven: it is the parent of the one that is active.
        assert refresh(first.refresh_token).session.refresh_token == second.refresh_token

        third = refresh(second.refresh_token).session
        newest = refresh(third.refresh_token).session
        pass_by(time.monotonic() + WINDOW + 0.2)
        assert refusal(refresh, first.refresh_token) == ("refresh_token_already_used", 400)
        assert refusal(refresh, newest.refresh_token)[1] == 400
    first_client.close()


def test_step_009_a_token_nobody_knows(ada):
    answer = refusal(ada.client.auth.refresh_session, "unknown12345")
    assert answer == ("refresh_token_not_found", 400)


def test_step_011_a_session_is_carried_over(server, ada):
    session = ada.client.auth.get_session()
    with nobody(server) as other:
        assert other.client.auth.set_session(session.access_token, session.refresh_token).user.id == ada.id
        assert other.client.auth.get_user().user.id == ada.id


def test_step_012_sign_out_here_elsewhere_everywhere(server):
    with somebody(server, "eve") as eve:
        second = eve.again()
        token = second.client.auth.get_session().refresh_token
        second.client.auth.sign_out({"scope": "local"})
        assert refusal(second.client.auth.refresh_session, token)[1] == 400
        second.close()
        assert eve.client.auth.get_user().user.id == eve.id

        third = eve.again()
        eve.client.auth.sign_out({"scope": "others"})
        token = third.client.auth.get_session().refresh_token
        assert refusal(third.client.auth.refresh_session, token)[1] == 400
        third.close()
        assert eve.client.auth.refresh_session().user.id == eve.id

        fourth = eve.again()
        tokens = [one.client.auth.get_session().refresh_token for one in (eve, fourth)]
        eve.client.auth.sign_out({"scope": "global"})
        for token in tokens:
            assert refusal(fourth.client.auth.refresh_session, token)[1] == 400
        fourth.close()
        eve.client.auth.sign_in_with_password({"email": eve.email, "password": eve.password})
        assert eve.client.auth.get_user().user.id == eve.id


def test_step_014_a_client_renews_its_token_by_itself(serve):
    server = serve("--token-lifetime", "15")
    client = create_client(server.url, server.key)
    began = time.monotonic()
    first = client.auth.sign_up({"email": "fay@example.test", "password": "correct horse"}).session
    assert first.expires_in == 15

    def renewed():
        session = client.auth.get_session()
        return session if session.access_token != first.access_token else None

    session = soon(renewed, seconds=8)
    # The client renews ten seconds early, by clocks that count whole seconds.
    assert 3 < time.monotonic() - began < 7
    assert session.refresh_token != first.refresh_token
    assert client.auth.get_user().user.email == "fay@example.test"
    client.auth.sign_out()
    server.stop()
