"""Accounts and passwords."""

import pytest
from people import PASSWORD, nobody, somebody
from supabase_auth.errors import AuthApiError, AuthWeakPasswordError
from tokens import claims


def refusal(call, *arguments):
    """The code and status of the refusal that the call must come to."""
    with pytest.raises(AuthApiError) as caught:
        call(*arguments)
    return caught.value.code, caught.value.status


def credentials(email, password=PASSWORD):
    return {"email": email, "password": password}


def test_step_003_four_people_sign_up(people):
    for name, person in people.items():
        assert person.signed_up.session.access_token
        assert person.signed_up.session.refresh_token
        assert person.signed_up.user.email == f"{name}@example.test"
        assert person.signed_up.user.user_metadata["username"] == person.username
        assert person.signed_up.user.user_metadata["display_name"] == name.capitalize()


def test_step_004_an_address_has_one_account(server, ada):
    with nobody(server) as other:
        answer = refusal(other.client.auth.sign_up, credentials(ada.email.upper()))
    assert answer == ("user_already_exists", 422)


def test_step_005_bad_passwords_and_addresses(server):
    with nobody(server) as other:
        with pytest.raises(AuthWeakPasswordError) as weak:
            other.client.auth.sign_up(credentials("new@example.test", "abc"))
        assert (weak.value.code, weak.value.status, weak.value.reasons) == ("weak_password", 422, ["length"])
        assert refusal(other.client.auth.sign_up, credentials("nope")) == ("validation_failed", 400)


def test_step_006_sign_in(server, ada):
    with nobody(server) as other:
        sign_in = other.client.auth.sign_in_with_password
        assert sign_in(credentials(ada.email)).session.user.id == ada.id
        for wrong in (credentials(ada.email, "not this"), credentials("who@example.test")):
            assert refusal(sign_in, wrong) == ("invalid_credentials", 400)


def test_step_007_who_a_token_is(ada):
    assert ada.client.auth.get_user().user.id == ada.id
    assert refusal(ada.client.auth.get_user, "x.y.z") == ("bad_jwt", 403)
    told = ada.client.auth.get_claims()["claims"]
    assert (told["sub"], told["role"]) == (ada.id, "authenticated")
    assert told["session_id"] == claims(ada.token)["session_id"]


def test_step_010_an_account_is_changed(server):
    with somebody(server, "dee") as dee:
        user = dee.client.auth.update_user({"data": {"display_name": "Dee L"}}).user
        assert user.user_metadata["display_name"] == "Dee L"
        assert user.user_metadata["username"] == dee.username
        assert refusal(dee.client.auth.update_user, {"password": PASSWORD}) == ("same_password", 422)


def test_step_013_errors_of_the_older_shape(ada):
    def body(method, path, status, json=None, token=None):
        answer = ada.raw(method, f"/auth/v1/{path}", json=json, token=token)
        told = answer.json()
        assert answer.status_code == told["code"] == status
        assert "message" not in told and told["msg"]
        assert answer.headers["x-sb-error-code"] == told["error_code"]
        return told

    def code(*arguments, **more):
        return body(*arguments, **more)["error_code"]

    assert code("POST", "signup", 422, credentials(ada.email)) == "user_already_exists"
    weak = body("POST", "signup", 422, credentials("new@example.test", "abc"))
    assert (weak["error_code"], weak["weak_password"]["reasons"]) == ("weak_password", ["length"])
    assert code("POST", "signup", 400, credentials("nope")) == "validation_failed"
    wrong = credentials("who@example.test")
    assert code("POST", "token?grant_type=password", 400, wrong) == "invalid_credentials"
    unknown = {"refresh_token": "unknown12345"}
    assert code("POST", "token?grant_type=refresh_token", 400, unknown) == "refresh_token_not_found"
    assert code("GET", "user", 403, token="x.y.z") == "bad_jwt"
    assert code("PUT", "user", 422, {"password": PASSWORD}) == "same_password"
