"""The doors: who gets in, and what stands at them."""

import httpx
from people import options
from supabase import acreate_client, create_client


def test_step_001_doors_and_keys(server):
    key = {"apikey": server.key}
    with httpx.Client(base_url=server.url) as http:
        health = http.get("/auth/v1/health", headers=key)
        assert (health.status_code, health.json()["name"]) == (200, "GoTrue")
        assert http.get("/auth/v1/settings", headers=key).json()["external"]["email"] is True
        for headers, words in [({}, "No API key found in request"), ({"apikey": "wrong"}, "Invalid API key")]:
            refusal = http.get("/rest/v1/profiles", headers=headers)
            assert refusal.status_code == 401
            assert refusal.json()["message"] == words
            assert "code" not in refusal.json()


async def test_step_002_official_clients_are_made(server):
    for _ in ("ada", "bo", "cy", "xi"):
        assert create_client(server.url, server.key, options()).auth.get_session() is None
        client = await acreate_client(server.url, server.key)
        assert await client.auth.get_session() is None
    # A slash behind the address changes nothing.
    assert str(create_client(server.url + "/", server.key, options()).rest_url) == f"{server.url}/rest/v1"
