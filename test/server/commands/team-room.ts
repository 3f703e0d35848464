/** A team room on a homeserver under test, for watchers. */
import { readEntry } from '../../../shared/team/room-events.ts';
import type { TestHomeserver } from '../homeserver.ts';

const client = '/_chat/client/v3';

/** Creates the room as the admin. Returns its ID. */
export async function createTeamRoom(homeserver: TestHomeserver): Promise<string> {
  const { body } = await homeserver.as('admin').post(`${client}/createRoom`, {
    preset: 'private_chat',
    room_alias_name: 'gatehouse-team',
    creation_content: { type: 'io.gatehouse.team', 'm.federate': false },
    initial_state: [
      { type: 'm.room.history_visibility', state_key: '', content: { history_visibility: 'shared' } },
    ],
    power_level_content_override: { users_default: 0, events_default: 0, state_default: 100, invite: 0 },
  });
  return body.room_id;
}

/** Returns the room's entries, oldest first. */
export async function entriesIn(homeserver: TestHomeserver, roomId: string) {
  const path = `${client}/rooms/${encodeURIComponent(roomId)}/messages?dir=b&limit=200`;
  const { body } = await homeserver.as('admin').get(path);
  return (body.chunk as Parameters<typeof readEntry>[0][])
    .flatMap((event) => readEntry(event) ?? [])
    .reverse();
}

export const suspendedOf = async (homeserver: TestHomeserver, name: string) =>
  (await homeserver.as('admin').get(`/_service/admin/v2/users/@${name}:localhost`)).body.suspended;
