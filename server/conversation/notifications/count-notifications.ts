/**
 * Determines the users to notify of events that are appended to a room. Members with the default rules share one
 * evaluation; only users with own rules, and users that an event may mention, are evaluated one by one.
 */
import type { JsonObject } from '../../../shared/api/common.ts';
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import type { Cache, Caches } from '../../platform/core/cache.ts';
import { afterCommit, type Tx } from '../../platform/database/transaction.ts';
import type { FinishedEvent } from '../rooms/events/event.ts';
import { getState, loadState, type OpenRoom } from '../rooms/events/open-room.ts';
import { powerLevels } from '../rooms/events/power-levels.ts';
import { mainThread, threadOf } from '../rooms/relations/relation.ts';
import { type EventInRoom, eventInRoom } from './conditions.ts';
import { type CompiledRules, compileRules, evaluate, quietRooms, sharedRules } from './evaluate.ts';
import { type MemberNames, type MemberNamesCache, membersOf, namedIn } from './member-names.ts';
import { insertNotifyingEvent, insertOwnNotifications, type OwnNotification } from './notification-store.ts';
import { type Action, isHighlighted, isNotified, noOwnRules } from './push-rule.ts';
import { listChangedRules, listOwnRules, type OwnRuleset } from './push-rule-store.ts';

/** The compiled rules of one user. */
type PersonalRules = {
  rules: CompiledRules;
  ignored: ReadonlySet<string>;
  quiet: ReturnType<typeof quietRooms>;
  /** Characters of JSON. */
  length: number;
};

export type NotificationMemory = {
  members: MemberNamesCache;
  personal: Cache<string, PersonalRules>;
  /** Users with own rules, up to this version of all rules. */
  owners: Set<string>;
  version: number;
};

/** Characters of JSON that count as one cache entry. */
const charactersPerUser = 4_000;

export const createNotificationMemory = ({ cache }: Pick<Caches, 'cache'>): NotificationMemory => ({
  members: cache('getUsersInRoomWithProfiles', 1_000),
  personal: cache('get_push_rules_for_user', 10_000, ({ length }) =>
    Math.max(1, Math.ceil(length / charactersPerUser)),
  ),
  owners: new Set(),
  version: 0,
});

const usersBetweenYields = 20;
/** Rows per statement: a few milliseconds of work. */
const rowsAtOnce = 100;

/**
 * Counts the notifications of an open room's new events, which are persisted.
 *
 * @param positions stream positions by event ID
 */
export async function countNotifications(
  tx: Tx,
  memory: NotificationMemory,
  room: OpenRoom,
  positions: ReadonlyMap<string, number>,
): Promise<void> {
  const changed = await loadChangedOwners(tx, memory);
  await loadState(room, [
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
  ]);
  const members = await membersOf(tx, memory.members, room, Math.min(...positions.values()));
  // A statement can write only one row per user and thread.
  const batch = new Map<string, OwnNotification>();
  const flush = async () => {
    if (batch.size > 0) await insertOwnNotifications(tx, [...batch.values()]);
    batch.clear();
  };
  for (const { event } of room.writes.events) {
    const position = positions.get(event.eventId) ?? 0;
    for (const own of await countEvent(tx, memory, room, { event, position, members, changed })) {
      const key = `${own.userId} ${own.threadId}`;
      if (batch.has(key) || batch.size === rowsAtOnce) await flush();
      batch.set(key, own);
    }
    await yieldToEventLoop();
  }
  await flush();
}

/** Returns the users whose rules changed since the last call; caches them only after the commit. */
async function loadChangedOwners(tx: Tx, memory: NotificationMemory): Promise<ReadonlySet<string>> {
  const changed = await listChangedRules(tx, memory.version);
  if (changed.length > 0) {
    afterCommit(tx, () => {
      for (const { userId, version } of changed) {
        memory.owners.add(userId);
        memory.personal.delete(userId);
        memory.version = Math.max(memory.version, version);
      }
    });
  }
  return new Set(changed.map(({ userId }) => userId));
}

/** Writes the notification that all members share; returns those of users for whom it's different. */
async function countEvent(
  tx: Tx,
  memory: NotificationMemory,
  room: OpenRoom,
  {
    event: { pdu },
    position,
    members,
    changed,
  }: { event: FinishedEvent; position: number; members: MemberNames; changed: ReadonlySet<string> },
): Promise<OwnNotification[]> {
  const event = eventInRoom(pdu, {
    joinedMembers: room.joinedMembers,
    mayNotify: (kind) => mayNotify(room, pdu.sender, kind),
  });
  const shared = evaluate(sharedRules, event, undefined);
  const candidates = new Set([
    ...mentioned(event, members),
    ...membersAmong(memory.owners, members),
    ...membersAmong(changed, members),
  ]);
  const invited = invitedBy(pdu);
  if (invited !== undefined) candidates.add(invited);
  candidates.delete(pdu.sender);

  const found: { userId: string; difference: Difference }[] = [];
  let evaluated = 0;
  for (const [userId, { rules, ignored, quiet }] of await rulesOf(tx, memory, [...candidates], changed)) {
    if (++evaluated % usersBetweenYields === 0) await yieldToEventLoop();
    const actions = ignored.has(pdu.sender) ? [] : evaluate(rules, event, members.names.get(userId));
    const isApart = quiet === 'everywhere' || quiet.has(room.roomId) || !members.names.has(userId);
    const difference = differenceOf(actions, isApart ? [] : shared);
    if (difference) found.push({ userId, difference });
  }
  if (!isNotified(shared) && found.length === 0) return [];
  const thread = pdu.state_key === undefined ? await threadOf(tx, pdu.content) : mainThread;
  const location = { roomId: room.roomId, position, threadId: thread === mainThread ? '' : thread };
  if (isNotified(shared)) {
    const highlight = isHighlighted(shared);
    await insertNotifyingEvent(tx, { ...location, sender: pdu.sender, highlight, actions: shared });
  }
  return found.map(({ userId, difference }) => ({ ...location, userId, ...difference }));
}

async function rulesOf(
  tx: Tx,
  memory: NotificationMemory,
  userIds: readonly string[],
  changed: ReadonlySet<string>,
): Promise<Map<string, PersonalRules>> {
  const { owners, personal, version } = memory;
  const found = new Map<string, PersonalRules>();
  const unknown: string[] = [];
  for (const userId of userIds) {
    const known = owners.has(userId) ? personal.get(userId) : withoutOwn(userId);
    if (known && !changed.has(userId)) found.set(userId, known);
    else unknown.push(userId);
  }
  for (const own of unknown.length > 0 ? await listOwnRules(tx, unknown) : []) {
    const rules = asPersonal(own);
    found.set(own.userId, rules);
    // A change that was committed in the meantime may be newer than the read one, and isn't listed again.
    if (!changed.has(own.userId) && memory.version === version) personal.set(own.userId, rules);
    await yieldToEventLoop();
  }
  return found;
}

const asPersonal = ({ userId, rules, ignored, length }: OwnRuleset): PersonalRules => ({
  rules: compileRules(userId, rules),
  ignored: new Set(ignored),
  quiet: quietRooms(rules),
  length,
});

const withoutOwn = (userId: string) => asPersonal({ userId, rules: noOwnRules, ignored: [], length: 0 });

type Difference = Pick<OwnNotification, 'notifies' | 'highlights' | 'actions'>;

function differenceOf(actions: readonly Action[], shared: readonly Action[]): Difference | undefined {
  const notifies = Number(isNotified(actions)) - Number(isNotified(shared));
  const highlights = Number(isHighlighted(actions)) - Number(isHighlighted(shared));
  // The counts may be the same with another sound.
  const isSame = !isNotified(actions) || JSON.stringify(actions) === JSON.stringify(shared);
  return notifies === 0 && highlights === 0 && isSame ? undefined : { notifies, highlights, actions };
}

/** Members in `m.mentions`; without it, those whose name may be in the body. */
function mentioned({ event, body, hasMentions }: EventInRoom, members: MemberNames): Iterable<string> {
  if (!hasMentions) return body ? namedIn(members, body) : [];
  const { user_ids: userIds } = (event.content as { 'm.mentions': { user_ids?: unknown } })['m.mentions'];
  return Array.isArray(userIds) ? userIds.filter((userId) => members.names.has(userId)) : [];
}

const invitedBy = ({ type, state_key: target, content }: FinishedEvent['pdu']): string | undefined =>
  type === 'm.room.member' && content.membership === 'invite' ? target : undefined;

/** Iterates over the smaller of the two sets. */
function membersAmong(userIds: ReadonlySet<string>, { names }: MemberNames): string[] {
  const [smaller, larger] = userIds.size < names.size ? [userIds, names] : [names, userIds];
  return [...smaller.keys()].filter((userId) => larger.has(userId));
}

/** Whether the sender may notify the whole room. Client-server API, `m.room.power_levels`, `notifications`. */
function mayNotify(room: OpenRoom, sender: string, kind: string): boolean {
  const content = getState(room, ['m.room.power_levels', ''])?.content;
  const creator = getState(room, ['m.room.create', ''])?.sender ?? '';
  const notifications = (content?.notifications ?? {}) as JsonObject;
  const required = Object.hasOwn(notifications, kind) ? notifications[kind] : undefined;
  return (
    powerLevels(content, creator).ofUser(sender) >= (Number.isSafeInteger(required) ? Number(required) : 50)
  );
}
