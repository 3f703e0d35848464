/** Extensions of sliding sync: to-device messages, keys, account data, receipts, typing and thread subscriptions. */
import type { RoomScope, SlidingExtensions } from '../../../shared/api/sliding-sync.ts';
import { readAccountDataSince } from '../../identity/account-data/account-data-store.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import type { Requester } from '../../platform/core/requester.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type DeviceListChanges, readDeviceListChanges } from '../encryption/device-list-changes.ts';
import { type Inbox, readInbox } from '../encryption/to-device-store.ts';
import { readReceiptsSince } from '../receipts/receipt-store.ts';
import {
  type EphemeralEvent,
  pushRules,
  type RoomData,
  receiptEvents,
  typingEvents,
} from '../sync/read-sync.ts';
import { type ChangesPage, threadSubscriptionChanges } from '../thread-subscriptions/thread-subscriptions.ts';
import { readTyping } from '../typing/typing-store.ts';
import type { RequestedRoom } from './sliding-lists.ts';

type ExtensionsRequest = {
  requester: Requester;
  extensions: SlidingExtensions;
  since: StreamPositions | undefined;
  /** Rooms in the response, and new ones among them. */
  requested: ReadonlyMap<string, RequestedRoom>;
  newRooms: ReadonlySet<string>;
};

export type Extensions = {
  inbox: Inbox | undefined;
  deviceLists: DeviceListChanges | undefined;
  accountData: { global: RoomData[]; rooms: Map<string, RoomData[]> } | undefined;
  receipts: EphemeralEvent[] | undefined;
  typing: EphemeralEvent[] | undefined;
  threads: ChangesPage | undefined;
};

/** Unstable prefix of MSC4308. */
export const threadExtension = 'io.element.msc4308.thread_subscriptions';

export async function readExtensions(
  { db, clock }: { db: Database; clock: Clock },
  { requester, extensions, since, requested, newRooms }: ExtensionsRequest,
  upTo: StreamPositions,
): Promise<Extensions> {
  const { userId, deviceId } = requester;
  const { to_device, e2ee, account_data, receipts, typing, [threadExtension]: threads } = extensions;
  const after = since?.changes;
  const found: Extensions = {
    inbox: undefined,
    deviceLists: undefined,
    accountData: undefined,
    receipts: undefined,
    typing: undefined,
    threads: undefined,
  };
  if (to_device?.enabled && deviceId !== null) {
    const limit = Math.min(to_device.limit ?? 100, 100);
    const from = parseInboxToken(to_device.since) ?? 0;
    found.inbox = await readInbox(db, { userId, deviceId, after: from, upTo: upTo.changes, limit });
  }
  if (e2ee?.enabled) {
    found.deviceLists = since
      ? await readDeviceListChanges(db, { userId, after: since, upTo })
      : { changed: [], left: [] };
  }
  if (account_data?.enabled) {
    const shown = new Set(roomsFor(account_data, requested));
    const data = await readAccountDataSince(
      db,
      { userId, after: newRooms.size > 0 ? undefined : after, upTo: upTo.changes },
      ({ roomId, position }) =>
        (roomId === undefined || shown.has(roomId)) &&
        (after === undefined || position > after || newRooms.has(roomId ?? '')),
    );
    const byRoom = Map.groupBy(data, ({ roomId }) => roomId);
    found.accountData = {
      global: [
        ...(await pushRules(db, userId, { after, upTo: upTo.changes })),
        ...(byRoom.get(undefined) ?? []).map(asData),
      ],
      rooms: new Map(
        [...shown].flatMap((roomId) => {
          const own = byRoom.get(roomId);
          return own ? [[roomId, own.map(asData)]] : [];
        }),
      ),
    };
  }
  if (receipts?.enabled) {
    const { known, fresh } = split(roomsFor(receipts, requested), newRooms);
    found.receipts = receiptEvents([
      ...(await readReceiptsSince(db, { userId, roomIds: known, after, upTo: upTo.changes })),
      ...(await readReceiptsSince(db, {
        userId,
        roomIds: fresh,
        after: undefined,
        upTo: upTo.changes,
      })),
    ]);
  }
  if (typing?.enabled) {
    const now = clock.now();
    const { known, fresh } = split(roomsFor(typing, requested), newRooms);
    found.typing = [
      ...typingEvents(await readTyping(db, { roomIds: known, after, now })),
      ...typingEvents(await readTyping(db, { roomIds: fresh, after: undefined, now })),
    ];
  }
  if (threads?.enabled) {
    const page = await threadSubscriptionChanges(db, {
      userId,
      after: after ?? 0,
      upTo: upTo.changes,
      limit: threads.limit ?? 100,
    });
    if (page.subscribed || page.unsubscribed) found.threads = page;
  }
  return found;
}

/** Returns the rooms to which an extension applies. */
function roomsFor(
  { lists = ['*'], rooms = ['*'] }: RoomScope,
  requested: ReadonlyMap<string, RequestedRoom>,
): string[] {
  const [allLists, allRooms] = [lists.includes('*'), rooms.includes('*')];
  return [...requested].flatMap(([roomId, { lists: its, isSubscribed }]) => {
    const isInList = allLists ? its.size > 0 : lists.some((name) => its.has(name));
    return isInList || (isSubscribed && (allRooms || rooms.includes(roomId))) ? [roomId] : [];
  });
}

const split = (roomIds: readonly string[], newRooms: ReadonlySet<string>) => ({
  known: roomIds.filter((roomId) => !newRooms.has(roomId)),
  fresh: roomIds.filter((roomId) => newRooms.has(roomId)),
});

const asData = ({ type, content }: RoomData): RoomData => ({ type, content });

/** @throws MatrixError 400 for an invalid token */
export function parseInboxToken(token: string | undefined): number | undefined {
  if (token === undefined || token === '') return undefined;
  if (!/^\d{1,15}$/.test(token)) throw new MatrixError(400, 'M_INVALID_PARAM', 'Invalid to_device since');
  return Number(token);
}

export const areEmpty = ({
  inbox,
  deviceLists,
  accountData,
  receipts,
  typing,
  threads,
}: Extensions): boolean =>
  threads === undefined &&
  (inbox?.events.length ?? 0) === 0 &&
  (deviceLists?.changed.length ?? 0) === 0 &&
  (deviceLists?.left.length ?? 0) === 0 &&
  (accountData?.global.length ?? 0) === 0 &&
  (accountData?.rooms.size ?? 0) === 0 &&
  (receipts?.length ?? 0) === 0 &&
  (typing?.length ?? 0) === 0;
