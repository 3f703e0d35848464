/** A sync that waits is answered by anything that is new to the client. */
import { expect, test } from 'vitest';
import { areEmpty } from '../../../server/conversation/sliding-sync/sliding-extensions.ts';
import type { SyncResult } from '../../../server/conversation/sync/read-sync.ts';
import { isEmpty } from '../../../server/conversation/sync/sync-reply.ts';

const data = { type: 'x', content: {} };
const message = { ...data, sender: '@alice:localhost' };
const nothing: SyncResult = {
  rooms: [],
  hasRooms: false,
  stripped: [],
  sections: {
    accountData: [],
    presence: [],
    roomAccountData: new Map(),
    ephemeral: new Map(),
    inbox: { events: [], upTo: 5 },
    deviceLists: { changed: [], left: [] },
  },
  unread: new Map(),
};
const { sections } = nothing;
const present = { userId: '@alice:localhost', presence: 'online', statusMsg: null, lastActiveTs: 1 } as const;

test.each<[string, Partial<SyncResult>]>([
  ['a room', { hasRooms: true }],
  ['an invitation', { stripped: [{ roomId: '!r', section: 'invite', events: [] }] }],
  ['account data', { sections: { ...sections, accountData: [data] } }],
  ['account data of a room', { sections: { ...sections, roomAccountData: new Map([['!r', [data]]]) } }],
  ['presence', { sections: { ...sections, presence: [present] } }],
  ['a receipt or a typing user', { sections: { ...sections, ephemeral: new Map([['!r', [data]]]) } }],
  ['a message to the device', { sections: { ...sections, inbox: { events: [message], upTo: 5 } } }],
  ['changed devices', { sections: { ...sections, deviceLists: { changed: ['@a:b'], left: [] } } }],
  [
    'a user who left the last shared room',
    { sections: { ...sections, deviceLists: { changed: [], left: ['@a:b'] } } },
  ],
])('%s is news', (_, found) => {
  expect(isEmpty({ ...nothing, ...found })).toBe(false);
});

test('nothing is no news', () => {
  expect(isEmpty(nothing)).toBe(true);
});

type Extensions = Parameters<typeof areEmpty>[0];
const noExtensions: Extensions = {
  inbox: { events: [], upTo: 5 },
  deviceLists: { changed: [], left: [] },
  accountData: { global: [], rooms: new Map() },
  receipts: [],
  typing: [],
  threads: undefined,
};
const none: Extensions = {
  ...{ inbox: undefined, deviceLists: undefined, accountData: undefined },
  ...{ receipts: undefined, typing: undefined, threads: undefined },
};

test.each<[string, Partial<Extensions>]>([
  ['a message to the device', { inbox: { events: [message], upTo: 5 } }],
  ['changed devices', { deviceLists: { changed: ['@a:b'], left: [] } }],
  ['a user who left the last shared room', { deviceLists: { changed: [], left: ['@a:b'] } }],
  ['account data', { accountData: { global: [data], rooms: new Map() } }],
  ['account data of a room', { accountData: { global: [], rooms: new Map([['!r', [data]]]) } }],
  ['a receipt', { receipts: [{ ...data, roomId: '!r' }] }],
  ['a typing user', { typing: [{ ...data, roomId: '!r' }] }],
  ['a thread subscription', { threads: { subscribed: {}, next: undefined } }],
])('%s is news in sliding sync', (_, found) => {
  expect(areEmpty({ ...noExtensions, ...found })).toBe(false);
});

test('no extension has news', () => {
  expect([areEmpty(noExtensions), areEmpty(none)]).toEqual([true, true]);
});
