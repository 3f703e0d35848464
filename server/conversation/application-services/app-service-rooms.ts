/** Selects the rooms that concern an application service: by their ID, an alias, or a member. */
import type { AppService } from '../../identity/accounts/app-services.ts';
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import type { Database } from '../../platform/database/schema.ts';
import { listAliases } from '../rooms/directory/alias-store.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { listMemberships } from '../rooms/membership/membership-store.ts';
import { listMembersAt } from '../rooms/state/room-state-store.ts';

const membersAtOnce = 500;
const isThere = (membership: unknown) => membership === 'join' || membership === 'invite';

/** Returns a function that checks whether a room concerns the service now. */
export function concernNow(db: Database, service: AppService): (roomId: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  const find = async (roomId: string) =>
    (await isNamed(db, service, roomId)) || (await usersAt(db, service, roomId, undefined)) !== 'none';
  return (roomId) => {
    const concerned = known.get(roomId) ?? find(roomId);
    known.set(roomId, concerned);
    return concerned;
  };
}

/**
 * Returns a function that checks whether an event concerned the service when it was sent, by the members at that time.
 * Call it with every event, in order.
 */
export function concernThen(db: Database, service: AppService): (event: StoredEvent) => Promise<boolean> {
  const rooms = new Map<string, Set<string> | 'always'>();

  async function presentBefore({ pdu, streamOrdering }: StoredEvent): Promise<Set<string> | 'always'> {
    if (await isNamed(db, service, pdu.room_id)) return 'always';
    const users = await usersAt(db, service, pdu.room_id, streamOrdering - 1);
    return users === 'none' ? new Set() : users;
  }

  return async (event) => {
    const { room_id: roomId, type, state_key: target, content } = event.pdu;
    const present = rooms.get(roomId) ?? (await presentBefore(event));
    rooms.set(roomId, present);
    if (present === 'always') return true;
    const wasThere = present.size > 0;
    if (type !== 'm.room.member' || target === undefined || !service.matchesUser(target)) return wasThere;
    if (isThere(content.membership)) present.add(target);
    else present.delete(target);
    // Membership changes of its own users concern it in any case.
    return true;
  };
}

const isNamed = async (db: Database, service: AppService, roomId: string): Promise<boolean> =>
  service.matchesRoom(roomId) || (await listAliases(db, roomId)).some((alias) => service.matchesAlias(alias));

/**
 * Returns the service's users in a room at a position, or now if it's undefined; `always` if one of them has been there
 * ever since.
 */
async function usersAt(
  db: Database,
  service: AppService,
  roomId: string,
  position: number | undefined,
): Promise<Set<string> | 'always' | 'none'> {
  const changedLater: string[] = [];
  for (let after = ''; ; ) {
    const members = await listMemberships(db, roomId, { after, limit: membersAtOnce });
    for (const { userId, membership, streamOrdering } of members) {
      if (!service.matchesUser(userId)) continue;
      if (position !== undefined && streamOrdering > position) changedLater.push(userId);
      else if (isThere(membership)) return 'always';
    }
    if (members.length < membersAtOnce) break;
    after = members.at(-1)?.userId ?? '';
    await yieldToEventLoop();
  }
  if (position === undefined || changedLater.length === 0) return 'none';
  const then = await listMembersAt(db, roomId, changedLater, position);
  return new Set(then.flatMap(({ pdu }) => (isThere(pdu.content.membership) ? (pdu.state_key ?? []) : [])));
}
