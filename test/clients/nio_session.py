"""One person's session with matrix-nio: says what it saw as JSON."""
import asyncio
import json
import sys

from nio import AsyncClient, LoginResponse, RoomMessageText, SyncResponse


async def main(address, user, room_id):
    client = AsyncClient(address, user)
    seen = {}
    login = await client.login("secret", device_name="Bot")
    assert isinstance(login, LoginResponse), login
    seen["user"] = login.user_id
    sync_filter = {"room": {"timeline": {"limit": 5}}}
    first = await client.sync(timeout=0, sync_filter=sync_filter, full_state=True)
    assert isinstance(first, SyncResponse), first
    seen["invited"] = list(client.invited_rooms)
    await client.join(room_id)
    text = {"msgtype": "m.text", "body": "Beep"}
    sent = await client.room_send(room_id, "m.room.message", text)
    while sent.event_id not in seen.get("events", []):
        page = await client.sync(timeout=3000, sync_filter=sync_filter)
        assert isinstance(page, SyncResponse), page
        joined = page.rooms.join.get(room_id)
        events = joined.timeline.events if joined else []
        seen.setdefault("events", []).extend(event.event_id for event in events)
        messages = [event.body for event in events if isinstance(event, RoomMessageText)]
        seen.setdefault("messages", []).extend(messages)
    await client.room_read_markers(room_id, sent.event_id, sent.event_id)
    await client.room_typing(room_id)
    seen["room"] = client.rooms[room_id].display_name
    seen["members"] = sorted(client.rooms[room_id].users)
    seen["devices"] = [device.display_name for device in (await client.devices()).devices]
    seen["history"] = len((await client.room_messages(room_id, page.next_batch)).chunk)
    await client.logout()
    await client.close()
    print(json.dumps(seen))


asyncio.run(main(*sys.argv[1:]))
