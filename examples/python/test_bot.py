from urllib.parse import quote


def create_room(homeserver):
    token = homeserver.users["bot"]["access_token"]
    return homeserver.call("POST", "/_matrix/client/v3/createRoom", {}, token)[1]["room_id"]


def send(homeserver, room_id, text):
    path = f"/_matrix/client/v3/rooms/{quote(room_id)}/send/m.room.message/1"
    token = homeserver.users["bot"]["access_token"]
    return homeserver.call("PUT", path, {"msgtype": "m.text", "body": text}, token)


def test_sends_a_message(homeserver):
    send(homeserver, create_room(homeserver), "Hello")
    [request] = homeserver.requests(path="/send/*", user="bot", timeout=5000)
    assert '"body":"Hello"' in request["request"]["body"]


def test_is_limited(homeserver):
    room_id = create_room(homeserver)
    homeserver.fail(path="/send/*", retry_after_ms=2000, times=1)
    status, error = send(homeserver, room_id, "Hello")
    assert (status, error["retry_after_ms"]) == (429, 2000)
    assert send(homeserver, room_id, "Hello")[0] == 200


def test_login_token_expires(homeserver):
    login = {"type": "org.matrix.login.jwt", "token": homeserver.jwt("alice")}
    assert homeserver.call("POST", "/_matrix/client/v3/login", login)[0] == 200
    homeserver.advance("2h")
    assert homeserver.call("POST", "/_matrix/client/v3/login", login)[0] == 403


def test_goes_back_to_a_snapshot(homeserver):
    create_room(homeserver)
    homeserver.snapshot("one room")
    homeserver.reset()
    token = homeserver.users["bot"]["access_token"]
    assert homeserver.call("GET", "/_matrix/client/v3/joined_rooms", token=token)[1]["joined_rooms"] == []
    homeserver.restore("one room")
    assert len(homeserver.call("GET", "/_matrix/client/v3/joined_rooms", token=token)[1]["joined_rooms"]) == 1
