/** What one transaction tells an application service. */
import type { JsonObject } from '../../shared/api/common.ts';
import type { AppService } from '../accounts/app-services.ts';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../database/schema.ts';
import { serveEvents } from '../rooms/client-event.ts';
import type { StoredEvent } from '../rooms/event-store.ts';
import { listJoinedRooms } from '../rooms/membership-store.ts';
import {
  type Range,
  readEphemeral,
  readEventsAfter,
  readMessagesToDevices,
} from './app-service-news-store.ts';
import type { Places } from './app-service-place-store.ts';
import { concernNow, concernThen } from './app-service-rooms.ts';

/** How many events are looked at for one transaction, and how many changes of each kind. */
const lookedAt = 200;
/** In so many rooms of somebody a service is looked for, to be told that they are there. */
const roomsAtMost = 50;

type Context = { db: Database; clock: Clock };

export type Transaction = {
  /** JSON; undefined where nothing concerns the service. */
  body: string | undefined;
  /** Up to where everything was looked at. */
  reached: Places;
  /** Users of the service whose membership others have changed: they may not be there yet. */
  invited: string[];
};

/** What has happened after some places that concerns a service, up to others or to the end of a piece. */
export async function nextTransaction(
  { db, clock }: Context,
  service: AppService,
  after: Places,
  upTo: Places,
): Promise<Transaction> {
  const concerned = concernThen(db, service);
  const news = await readEventsAfter(db, { after: after.events, upTo: upTo.events, limit: lookedAt });
  const events: StoredEvent[] = [];
  const invited: string[] = [];
  for (const event of news) {
    const { pdu } = event;
    const target = pdu.type === 'm.room.member' ? pdu.state_key : undefined;
    if (target !== undefined && target !== pdu.sender && service.isFor(target)) invited.push(target);
    if ((await concerned(event)) || service.isFor(pdu.sender)) events.push(event);
  }
  const isAll = news.length < lookedAt;
  const eventsPlace = isAll ? upTo.events : (news.at(-1)?.streamOrdering ?? upTo.events);

  // What they are about comes first.
  const { ephemeral, toDevice, changesPlace } =
    service.config.receivesEphemeral && isAll
      ? await changesFor({ db, clock }, service, {
          after: after.changes,
          upTo: upTo.changes,
          limit: lookedAt,
        })
      : { ephemeral: [], toDevice: [], changesPlace: isAll ? upTo.changes : after.changes };
  const reached = { events: eventsPlace, changes: changesPlace };
  if (events.length === 0 && ephemeral.length === 0 && toDevice.length === 0) {
    return { body: undefined, reached, invited: [] };
  }
  const requester = { userId: service.senderUserId, deviceId: null, actsFor: undefined };
  const served = await serveEvents(
    db,
    events.filter(({ purged }) => !purged).map((event) => ({ event })),
    { requester, now: clock.now() },
  );
  const body = JSON.stringify({
    events: served,
    ...(ephemeral.length > 0 && { ephemeral, 'de.sorunome.msc2409.ephemeral': ephemeral }),
    ...(toDevice.length > 0 && { to_device: toDevice, 'de.sorunome.msc2409.to_device': toDevice }),
  });
  return { body, reached, invited };
}

/** What of receipts, typing, presence and messages to devices concerns a service. */
async function changesFor(
  { db, clock }: Context,
  service: AppService,
  range: Range,
): Promise<{ ephemeral: JsonObject[]; toDevice: JsonObject[]; changesPlace: number }> {
  const isConcerned = concernNow(db, service);
  const found = await readEphemeral(db, { ...range, now: clock.now() });
  const messages = await readMessagesToDevices(db, { ...range, appServiceId: service.id });
  const changesPlace = Math.min(found.reached, messages.reached);
  const ephemeral: JsonObject[] = [];
  for (const { place, roomId, userId = '', event } of found.events) {
    if (place > changesPlace) continue;
    const rooms = roomId === undefined ? await listJoinedRooms(db, userId) : [roomId];
    const isTold = service.isFor(userId) || (await isAnyOf(rooms.slice(0, roomsAtMost), isConcerned));
    if (isTold) ephemeral.push(event);
  }
  const toDevice = messages.events.filter(({ place }) => place <= changesPlace).map(({ event }) => event);
  return { ephemeral, toDevice, changesPlace };
}

async function isAnyOf(rooms: string[], isConcerned: (roomId: string) => Promise<boolean>): Promise<boolean> {
  for (const roomId of rooms) {
    if (await isConcerned(roomId)) return true;
  }
  return false;
}
