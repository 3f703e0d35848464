/** Two users with several devices, on unmodified clients. */
import {
  EventType,
  type ICreateRoomOpts,
  type MatrixClient,
  MsgType,
  NotificationCountType,
  Preset,
  ReceiptType,
  RelationType,
  RoomType,
  ThreadEvent,
} from 'matrix-js-sdk';
import { CryptoEvent } from 'matrix-js-sdk/lib/crypto-api/index.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { startHomeserver, type TestHomeserver } from '../server/homeserver.ts';
import { until } from '../until.ts';
import { type Device, eventually, signIn, texts } from './sdk.ts';
import { compare, nextRequest } from './verification.ts';

let homeserver: TestHomeserver;
/** Devices of Alma and Bruno. */
let desk: Device;
let bruno: Device;
/** The room that both are in. */
let roomId: string;
const started: Device[] = [];
const open = async (user: string, options = {}) => {
  const device = await signIn(homeserver, user, options);
  started.push(device);
  return device;
};

beforeAll(async () => {
  homeserver = await startHomeserver();
  for (const localpart of ['alma', 'bruno']) {
    await createUser(homeserver.services, { localpart, password: 'secret' });
  }
  [desk, bruno] = await Promise.all([open('alma'), open('bruno')]);
  roomId = await meet({ preset: Preset.PrivateChat, name: 'Tea' });
});
afterAll(async () => {
  for (const device of started) device.stopClient();
  await homeserver.remove();
});

/** Creates a room as Alma, and accepts her invitation as Bruno. */
async function meet(room: ICreateRoomOpts): Promise<string> {
  const { room_id } = await desk.createRoom({ ...room, invite: ['@bruno:localhost'] });
  await until(() => expect(bruno.getRoom(room_id)?.getMyMembership()).toBe('invite'));
  expect(bruno.getRoom(room_id)?.name).toBe(room.name ?? 'alma');
  await bruno.joinRoom(room_id);
  await until(() => expect(desk.getRoom(room_id)?.getJoinedMemberCount()).toBe(2));
  return room_id;
}

/** Does the same in an encrypted room. */
async function meetSecretly(): Promise<string> {
  const content = { algorithm: 'm.megolm.v1.aes-sha2' };
  const id = await meet({
    preset: Preset.TrustedPrivateChat,
    is_direct: true,
    initial_state: [{ type: EventType.RoomEncryption, state_key: '', content }],
  });
  expect(bruno.getRoom(id)?.getDMInviter()).toBe('@alma:localhost');
  return id;
}

const event = (client: MatrixClient, room: string, id: string) => client.getRoom(room)?.findEventById(id);

test('an invite arrives and is accepted, and both users can talk', async () => {
  const room = await meet({ preset: Preset.PrivateChat, name: 'Coffee' });
  await desk.sendTextMessage(room, 'Milk?');
  await eventually(() => texts(bruno, room)).toEqual(['Milk?']);
  await bruno.sendTextMessage(room, 'Please');
  for (const client of [desk, bruno]) {
    await eventually(() => texts(client, room)).toEqual(['Milk?', 'Please']);
  }
});

test('a joined space lists its rooms', async () => {
  const space = await desk.createRoom({
    name: 'Kitchen',
    preset: Preset.PublicChat,
    creation_content: { type: RoomType.Space },
  });
  await desk.sendStateEvent(space.room_id, EventType.SpaceChild, { via: ['localhost'] }, roomId);
  await bruno.joinRoom(space.room_id);
  const kitchen = () => bruno.getRoom(space.room_id);
  await eventually(() => kitchen()?.isSpaceRoom()).toBe(true);
  expect(kitchen()?.name).toBe('Kitchen');
  const children = kitchen()?.currentState.getStateEvents(EventType.SpaceChild);
  expect(children?.map((child) => child.getStateKey())).toEqual([roomId]);
  const { rooms } = await bruno.getRoomHierarchy(space.room_id);
  expect(rooms.map((room) => [room.room_id, room.name])).toEqual([
    [space.room_id, 'Kitchen'],
    [roomId, 'Tea'],
  ]);
});

test('unread messages are counted per room and thread until they are read', async () => {
  const { room_id: bakery } = await desk.createRoom({ name: 'Bakery', preset: Preset.PublicChat });
  await bruno.joinRoom(bakery);
  await eventually(() => bruno.getRoom(bakery)?.getMyMembership()).toBe('join');
  const { Total, Highlight } = NotificationCountType;
  const { event_id: root } = await desk.sendTextMessage(bakery, 'Who bakes?');
  const meant = { 'm.mentions': { user_ids: ['@bruno:localhost'] } };
  await desk.sendMessage(bakery, root, { msgtype: MsgType.Text, body: 'You do', ...meant });
  const counts = () => {
    const room = bruno.getRoom(bakery);
    return {
      room: room?.getRoomUnreadNotificationCount(Total),
      thread: room?.getThreadUnreadNotificationCount(root, Total),
      highlight: room?.getThreadUnreadNotificationCount(root, Highlight),
    };
  };
  await eventually(counts).toEqual({ room: 1, thread: 1, highlight: 1 });
  await bruno.sendReadReceipt(event(bruno, bakery, root) ?? null);
  await eventually(counts).toEqual({ room: 0, thread: 1, highlight: 1 });
  const reply = () => bruno.getRoom(bakery)?.getThread(root)?.replyToEvent;
  await eventually(() => reply()?.getContent().body).toBe('You do');
  await bruno.sendReadReceipt(reply() ?? null);
  await eventually(counts).toEqual({ room: 0, thread: 0, highlight: 0 });
});

test('the author of a message sees its read receipt', async () => {
  const { event_id } = await desk.sendTextMessage(roomId, 'The kettle boils');
  const last = await desk.sendTextMessage(roomId, 'Bruno?');
  await eventually(() => texts(bruno, roomId).at(-1)).toBe('Bruno?');
  await bruno.sendReadReceipt(event(bruno, roomId, last.event_id) ?? null, ReceiptType.Read);
  await eventually(() => desk.getRoom(roomId)?.getEventReadUpTo('@bruno:localhost')).toBe(last.event_id);
  expect(desk.getRoom(roomId)?.hasUserReadEvent('@bruno:localhost', event_id)).toBe(true);
});

test('a message is edited, answered in a thread and reacted to', async () => {
  const { event_id } = await desk.sendTextMessage(roomId, 'Two suggars');
  const edit = { msgtype: MsgType.Text, body: 'Two sugars' } as const;
  await desk.sendMessage(roomId, {
    ...edit,
    body: `* ${edit.body}`,
    'm.new_content': edit,
    'm.relates_to': { rel_type: RelationType.Replace, event_id },
  });
  await eventually(() => texts(bruno, roomId).at(-1)).toBe('Two sugars');

  await bruno.sendEvent(roomId, EventType.Reaction, {
    'm.relates_to': { rel_type: RelationType.Annotation, event_id, key: '🍰' },
  });
  const reactions = () =>
    desk
      .getRoom(roomId)
      ?.relations.getChildEventsForEvent(event_id, RelationType.Annotation, EventType.Reaction)
      ?.getSortedAnnotationsByKey()
      ?.map(([key, events]) => [key, events.size]);
  await eventually(reactions).toEqual([['🍰', 1]]);

  const threads: string[] = [];
  desk.getRoom(roomId)?.on(ThreadEvent.New, (thread) => threads.push(thread.id));
  await bruno.sendMessage(roomId, event_id, { msgtype: MsgType.Text, body: 'That is a lot' });
  await eventually(() => threads).toEqual([event_id]);
  await eventually(() => desk.getRoom(roomId)?.getThread(event_id)?.replyToEvent?.getContent().body).toBe(
    'That is a lot',
  );
  const { chunk } = await desk.createThreadListMessagesRequest(roomId, null, 10, 'b' as never);
  expect(chunk.map((root) => root.event_id)).toEqual([event_id]);
});

test('only devices of the members can read an encrypted conversation', async () => {
  const secretRoomId = await meetSecretly();
  await desk.setAccountData(EventType.Direct, { '@bruno:localhost': [secretRoomId] });
  await desk.sendTextMessage(roomId, 'In the clear');
  const { event_id } = await desk.sendTextMessage(secretRoomId, 'The recipe is under the mat');
  await eventually(() => texts(bruno, secretRoomId)).toEqual(['The recipe is under the mat']);
  const kept = await homeserver.services.db
    .selectFrom('events')
    .select('json')
    .where('event_id', '=', event_id)
    .executeTakeFirstOrThrow();
  expect(JSON.parse(kept.json)).toMatchObject({ type: 'm.room.encrypted' });
  expect(kept.json).not.toContain('recipe');

  // The old device verifies a new one, which reads earlier messages from the key backup.
  let toBackUp: number | undefined;
  desk.on(CryptoEvent.KeyBackupSessionsRemaining, (remaining) => {
    toBackUp = remaining;
  });
  await desk.crypto.bootstrapCrossSigning({ authUploadDeviceSigningKeys: (upload) => upload(null) });
  await desk.crypto.bootstrapSecretStorage({
    createSecretStorageKey: () => desk.crypto.createRecoveryKeyFromPassphrase(),
    setupNewKeyBackup: true,
  });
  expect(await desk.crypto.isCrossSigningReady()).toBe(true);
  await eventually(() => toBackUp).toBe(0);

  const phone = await open('alma');
  expect(texts(phone, roomId).at(-1)).toBe('In the clear');
  expect(texts(phone, secretRoomId)).toEqual([]);
  await eventually(() => phone.crypto.userHasCrossSigningKeys('@alma:localhost', true)).toBe(true);
  // Clients ignore verification requests from unknown devices.
  const known = async () => (await desk.crypto.getUserDeviceInfo(['@alma:localhost'])).get('@alma:localhost');
  await eventually(async () => (await known())?.has(phone.getDeviceId() ?? '')).toBe(true);
  const [asking, asked] = await Promise.all([phone.crypto.requestOwnUserVerification(), nextRequest(desk)]);
  await compare(asking, asked);
  const trusted = async (by: Device, device: Device) =>
    (await by.crypto.getDeviceVerificationStatus('@alma:localhost', device.getDeviceId() ?? ''))
      ?.crossSigningVerified;
  for (const device of [desk, phone]) await eventually(() => trusted(device, phone)).toBe(true);
  // The old device sends the secrets that the new one needs.
  await eventually(() => phone.crypto.getSessionBackupPrivateKey()).not.toBeNull();
  await phone.crypto.checkKeyBackupAndEnable();
  await phone.crypto.restoreKeyBackup();
  await eventually(() => texts(phone, secretRoomId)).toEqual(['The recipe is under the mat']);

  // Two users verify each other.
  await bruno.crypto.bootstrapCrossSigning({ authUploadDeviceSigningKeys: (upload) => upload(null) });
  await eventually(async () => (await bruno.crypto.getUserVerificationStatus('@alma:localhost')).known).toBe(
    true,
  );
  await eventually(() => desk.crypto.userHasCrossSigningKeys('@bruno:localhost', true)).toBe(true);
  await compare(
    ...(await Promise.all([
      bruno.crypto.requestVerificationDM('@alma:localhost', secretRoomId),
      nextRequest(desk),
    ])),
  );
  const verified = async (by: Device, userId: string) =>
    (await by.crypto.getUserVerificationStatus(userId)).isCrossSigningVerified();
  await eventually(() => verified(bruno, '@alma:localhost')).toBe(true);
  await eventually(() => verified(desk, '@bruno:localhost')).toBe(true);

  // Devices that were offline during a server restart receive the messages they missed.
  const away = [bruno, phone];
  for (const device of away) device.network.isDown = true;
  await desk.sendTextMessage(secretRoomId, 'Before the restart');
  await homeserver.restart();
  await desk.sendTextMessage(secretRoomId, 'After the restart');
  for (const device of away) device.network.isDown = false;
  const written = ['Before the restart', 'After the restart'];
  await eventually(() => {
    for (const device of started) device.retryImmediately();
    return away.map((device) => texts(device, secretRoomId).slice(-2));
  }).toEqual([written, written]);

  // The user's next device reads messages sent while all devices were offline.
  expect(await desk.crypto.isDehydrationSupported()).toBe(true);
  await desk.crypto.startDehydration();
  const almas = async () =>
    (await bruno.crypto.getUserDeviceInfo(['@alma:localhost'], true)).get('@alma:localhost')?.size;
  await eventually(almas).toBe(3);
  for (const device of [desk, phone]) device.network.isDown = true;
  await bruno.sendTextMessage(secretRoomId, 'For whoever comes');
  const laptop = await open('alma', { recoveryKeys: desk.recoveryKeys });
  expect(texts(laptop, secretRoomId)).not.toContain('For whoever comes');
  await eventually(() => laptop.crypto.userHasCrossSigningKeys('@alma:localhost', true)).toBe(true);
  await laptop.crypto.bootstrapCrossSigning({});
  await laptop.crypto.startDehydration();
  await eventually(() => texts(laptop, secretRoomId)).toContain('For whoever comes');
  for (const device of [desk, phone]) device.network.isDown = false;
});

test('a device with sliding sync sees the same rooms and new events', async () => {
  const secretRoomId = await meetSecretly();
  await desk.sendTextMessage(roomId, 'Before it came');
  const tablet = await open('bruno', { slidingSync: true });
  await eventually(() => texts(tablet, roomId).at(-1)).toBe('Before it came');
  expect(tablet.getRoom(roomId)?.name).toBe('Tea');
  await eventually(() => tablet.getRoom(secretRoomId)?.hasEncryptionStateEvent()).toBe(true);
  await desk.sendTextMessage(roomId, 'Come along');
  await eventually(() => texts(tablet, roomId).at(-1)).toBe('Come along');
  const known = async () =>
    (await desk.crypto.getUserDeviceInfo(['@bruno:localhost'])).get('@bruno:localhost');
  await eventually(async () => (await known())?.has(tablet.getDeviceId() ?? '')).toBe(true);
  await desk.sendTextMessage(secretRoomId, 'Look under the mat');
  await eventually(() => texts(tablet, secretRoomId).at(-1)).toBe('Look under the mat');
});
