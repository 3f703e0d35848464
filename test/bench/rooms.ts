/** Rooms like those of a typical user: a space, a thread with reactions, and more. */
import { client } from './endpoint.ts';
import { type Call, send } from './load.ts';

const inSpace = 20;
const replies = 30;

/** Creates the rooms. Returns the IDs that the benches use: the first room, the space and the thread root. */
export async function makeRooms(url: string, token: string, count: number) {
  const ask = async (method: Call['method'], path: string, body?: unknown) =>
    JSON.parse(await send(url, { method: method ?? 'GET', path: client + path, token, body }));
  const roomIds: string[] = [];
  for (let index = 0; index < count; index++) {
    const { room_id } = await ask('POST', '/createRoom', { preset: 'public_chat', name: `Room ${index}` });
    await ask('PUT', `/rooms/${room_id}/send/m.room.message/first`, { msgtype: 'm.text', body: 'first' });
    roomIds.push(room_id);
  }
  const [lobby = ''] = roomIds;
  const { room_id: space } = await ask('POST', '/createRoom', { creation_content: { type: 'm.space' } });
  for (const child of roomIds.slice(0, inSpace)) {
    await ask('PUT', `/rooms/${space}/state/m.space.child/${child}`, { via: ['localhost'] });
  }
  const { event_id: root } = await ask('PUT', `/rooms/${lobby}/send/m.room.message/root`, {
    ...{ msgtype: 'm.text', body: 'root' },
  });
  for (let index = 0; index < replies; index++) {
    const related = (rel_type: string, rest: object) => ({
      'm.relates_to': { event_id: root, rel_type, ...rest },
    });
    await ask('PUT', `/rooms/${lobby}/send/m.room.message/thread${index}`, {
      ...{ msgtype: 'm.text', body: `reply ${index}` },
      ...related('m.thread', {}),
    });
    await ask(
      'PUT',
      `/rooms/${lobby}/send/m.reaction/${index}`,
      related('m.annotation', { key: `${index}` }),
    );
  }
  return { roomIds, lobby, space, root };
}
