/** A scene for actions: a room with reported messages. */
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { openSession } from '../../server/identity/sessions/sessions.ts';
import { call, type Reply, type TestHomeserver } from '../server/homeserver.ts';

const client = '/_chat/client/v3';
const enc = encodeURIComponent;

let scenes = 0;

type Options = {
  messages?: number;
  content?: object;
  /** Of the new user. */
  localpart?: string;
  /** Of the room. */
  name?: string;
};

/** Creates a room owned by Alice with messages from a new user, each reported by Bob. */
export async function actingScene(
  homeserver: TestHomeserver,
  { messages = 1, content, localpart = `mallory${++scenes}`, name = `Room ${scenes}` }: Options = {},
) {
  const alice = homeserver.as('alice');
  const bob = homeserver.as('bob');
  const userId = await createUser(homeserver.services, { localpart });
  const { accessToken } = await openSession(homeserver.services, userId);
  const asUser = (method: string, path: string, body?: unknown): Promise<Reply> =>
    call(homeserver.url, method, path, accessToken, body);

  const created = await alice.post(`${client}/createRoom`, { preset: 'public_chat', name });
  const roomId: string = created.body.room_id;
  const room = `${client}/rooms/${enc(roomId)}`;
  await asUser('POST', `${room}/join`, {});
  await bob.post(`${room}/join`, {});
  const eventIds: string[] = [];
  for (let index = 1; index <= messages; index++) {
    const body = content ?? { msgtype: 'm.text', body: `Message ${index}` };
    const sent = await asUser('PUT', `${room}/send/m.room.message/${index}`, body);
    eventIds.push(sent.body.event_id);
    await bob.post(`${room}/report/${enc(sent.body.event_id)}`, { reason: 'Rude' });
  }
  const listed = await homeserver
    .as('admin')
    .get(`/_service/admin/v1/event_reports?room_id=${enc(roomId)}&dir=f`);
  const reportIds: number[] = listed.body.event_reports.map(({ id }: { id: number }) => id);
  return {
    userId,
    asUser,
    roomId,
    room,
    name,
    eventIds,
    reportIds,
    /** Returns an event's current content as seen by the room's members. */
    content: async (eventId = '') => (await alice.get(`${room}/event/${enc(eventId)}`)).body.content,
  };
}

export type Scene = Awaited<ReturnType<typeof actingScene>>;

/** Uploads files as the scene's user. Returns their addresses without `mxc://`. */
export async function uploads({ userId, asUser }: Scene, count: number): Promise<string[]> {
  const files: string[] = [];
  for (let index = 0; index < count; index++) {
    const path = `/_chat/media/v3/upload?filename=${index}.json`;
    const { body } = await asUser('POST', path, { of: userId, index });
    files.push(body.content_uri.slice('mxc://'.length));
  }
  return files;
}

/** Returns the number of these uploads that others can download. */
export async function openable(homeserver: TestHomeserver, files: readonly string[]): Promise<number> {
  const alice = homeserver.as('alice');
  let count = 0;
  for (const file of files) {
    if ((await alice.get(`/_chat/client/v1/media/download/${file}`)).status === 200) count += 1;
  }
  return count;
}
