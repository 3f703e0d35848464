/** What tests of rooms do over and over, through the API as any client would. */
import { expect } from 'vitest';
import type { Caller, Reply } from '../homeserver.ts';

export const path = (...segments: string[]) =>
  `/_chat/client/v3/${segments.map(encodeURIComponent).join('/')}`;

/** Makes a room and gives its identifier. */
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

/** Sends a message and gives its event. */
export async function say(sender: Caller, roomId: string, body: string): Promise<string> {
  return eventOf(await sendMessage(sender, roomId, body));
}

/** Sets state and gives its event. */
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

/** Joins, leaves and so on; refusals are the test's mistake. */
export async function change(who: Caller, roomId: string, action: string, whom?: Caller): Promise<void> {
  const reply = await who.post(path('rooms', roomId, action), whom ? { user_id: whom.userId } : {});
  expect(reply).toMatchObject({ status: 200 });
}

export async function messages(reader: Caller, roomId: string, query = 'dir=f&limit=100'): Promise<Reply> {
  return reader.get(`${path('rooms', roomId, 'messages')}?${query}`);
}

/** What a page of history says: the text of messages, the type of everything else. */
export const gist = ({ body }: Reply): string[] =>
  body.chunk.map((event: { type: string; content: { body?: string } }) => event.content.body ?? event.type);

function eventOf({ status, body }: Reply): string {
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.event_id;
}
