/** What a client of sliding sync asks for beside rooms. */
import type { JsonObject } from '../../shared/api/common.ts';
import type { SlidingExtensions } from '../../shared/api/sliding-sync.ts';
import { readAccountDataSince } from '../accounts/account-data-store.ts';
import type { Clock } from '../core/clock.ts';
import { MatrixError } from '../core/matrix-error.ts';
import type { Requester } from '../core/requester.ts';
import type { Places } from '../database/changes.ts';
import type { Database } from '../database/schema.ts';
import { type DeviceListChanges, readDeviceListChanges } from '../encryption/device-list-changes.ts';
import { type Inbox, readInbox } from '../encryption/to-device-store.ts';
import { readReceiptsSince } from '../receipts/receipt-store.ts';
import { readTyping } from '../receipts/typing-store.ts';
import { type EphemeralEvent, receiptEvents, typingEvents } from './ephemeral-events.ts';
import { pushRules } from './parts.ts';

export type ExtensionsQuestion = {
  requester: Requester;
  extensions: SlidingExtensions;
  since: Places | undefined;
  /** The rooms that the client is shown, and those of them that are new to it. */
  roomIds: readonly string[];
  newRooms: ReadonlySet<string>;
};

type RoomData = { type: string; content: JsonObject };

export type Extensions = {
  inbox: Inbox | undefined;
  deviceLists: DeviceListChanges | undefined;
  accountData: { global: RoomData[]; rooms: Map<string, RoomData[]> } | undefined;
  receipts: EphemeralEvent[] | undefined;
  typing: EphemeralEvent[] | undefined;
};

export async function readExtensions(
  { db, clock }: { db: Database; clock: Clock },
  { requester, extensions, since, roomIds, newRooms }: ExtensionsQuestion,
  upTo: Places,
): Promise<Extensions> {
  const { userId, deviceId } = requester;
  const { to_device, e2ee, account_data, receipts, typing } = extensions;
  const after = since?.changes;
  const known = roomIds.filter((roomId) => !newRooms.has(roomId));
  const found: Extensions = {
    inbox: undefined,
    deviceLists: undefined,
    accountData: undefined,
    receipts: undefined,
    typing: undefined,
  };
  if (to_device?.enabled && deviceId !== null) {
    const limit = Math.min(to_device.limit ?? 100, 100);
    const from = inboxPlace(to_device.since) ?? 0;
    found.inbox = await readInbox(db, { userId, deviceId, after: from, upTo: upTo.changes, limit });
  }
  if (e2ee?.enabled) {
    found.deviceLists = since
      ? await readDeviceListChanges(db, { userId, after: since, upTo })
      : { changed: [], left: [] };
  }
  if (account_data?.enabled) {
    const all = await readAccountDataSince(db, {
      userId,
      after: newRooms.size > 0 ? undefined : after,
      upTo: upTo.changes,
    });
    const recent =
      newRooms.size > 0 && after !== undefined
        ? await readAccountDataSince(db, { userId, after, upTo: upTo.changes })
        : all;
    const rooms = new Map<string, RoomData[]>();
    for (const roomId of roomIds) {
      const own = (newRooms.has(roomId) ? all : recent).filter((data) => data.roomId === roomId);
      if (own.length > 0) rooms.set(roomId, own.map(asData));
    }
    found.accountData = {
      global: [
        ...(await pushRules(db, userId, { after, upTo: upTo.changes })),
        ...recent.filter(({ roomId }) => roomId === undefined).map(asData),
      ],
      rooms,
    };
  }
  if (receipts?.enabled) {
    found.receipts = receiptEvents([
      ...(await readReceiptsSince(db, { userId, roomIds: known, after, upTo: upTo.changes })),
      ...(await readReceiptsSince(db, {
        userId,
        roomIds: [...newRooms],
        after: undefined,
        upTo: upTo.changes,
      })),
    ]);
  }
  if (typing?.enabled) {
    const now = clock.now();
    found.typing = [
      ...typingEvents(await readTyping(db, { roomIds: known, after, now })),
      ...typingEvents(await readTyping(db, { roomIds: [...newRooms], after: undefined, now })),
    ];
  }
  return found;
}

const asData = ({ type, content }: RoomData): RoomData => ({ type, content });

/** @throws MatrixError 400 for what is no place of messages to devices */
export function inboxPlace(token: string | undefined): number | undefined {
  if (token === undefined || token === '') return undefined;
  if (!/^\d{1,15}$/.test(token)) throw new MatrixError(400, 'M_INVALID_PARAM', 'Invalid to_device since');
  return Number(token);
}

/** Whether there is nothing in them that a client has to be told. */
export const areEmpty = ({ inbox, deviceLists, accountData, receipts, typing }: Extensions): boolean =>
  (inbox?.events.length ?? 0) === 0 &&
  (deviceLists?.changed.length ?? 0) === 0 &&
  (deviceLists?.left.length ?? 0) === 0 &&
  (accountData?.global.length ?? 0) === 0 &&
  (accountData?.rooms.size ?? 0) === 0 &&
  (receipts?.length ?? 0) === 0 &&
  (typing?.length ?? 0) === 0;
