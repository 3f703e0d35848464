/** Common steps of room tests, through the client API. */
import { expect } from 'vitest';
import type { Caller, Reply } from '../homeserver.ts';

export const path = (...segments: string[]) =>
  `/_chat/client/v3/${segments.map(encodeURIComponent).join('/')}`;

/** Creates a room and returns its ID. */
export async function makeRoom(creator: Caller, request: object = {}): Promise<string> {
  const { status, body } = await creator.post(path('createRoom'), { preset: 'public_chat', ...request });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.room_id;
}

let transactions = 0;

export const sendMessage = (sender: Caller, roomId: string, body: string) =>
  sender.put(path('rooms', roomId, 'send', 'm.room.message', `t${transactions++}`), {
    msgtype: 'm.text',
    body,
  });

/** Sends a message and returns its event ID. */
export async function say(sender: Caller, roomId: string, body: string): Promise<string> {
  return eventOf(await sendMessage(sender, roomId, body));
}

/** Sets state and returns its event ID. */
export async function setState(
  sender: Caller,
  roomId: string,
  type: string,
  content: object,
  stateKey = '',
): Promise<string> {
  return eventOf(await sender.put(path('rooms', roomId, 'state', type, stateKey), content));
}

export async function redact(sender: Caller, roomId: string, eventId: string, body: object = {}) {
  return sender.put(path('rooms', roomId, 'redact', eventId, `t${transactions++}`), body);
}

/** Changes a membership, such as a join or leave. Throws if the server refuses. */
export async function change(who: Caller, roomId: string, action: string, whom?: Caller): Promise<void> {
  const reply = await who.post(path('rooms', roomId, action), whom ? { user_id: whom.userId } : {});
  expect(reply).toMatchObject({ status: 200 });
}

export async function messages(reader: Caller, roomId: string, query = 'dir=f&limit=100'): Promise<Reply> {
  return reader.get(`${path('rooms', roomId, 'messages')}?${query}`);
}

/** Returns a page of history: text of messages, type of other events. */
export const gist = ({ body }: Reply): string[] =>
  body.chunk.map((event: { type: string; content: { body?: string } }) => event.content.body ?? event.type);

function eventOf({ status, body }: Reply): string {
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.event_id;
}
