/**
 * Who is notified of what is appended to a room. Everyone who has the default rules shares one look at them; alone are
 * looked at whose rules are others, and who may be meant by what an event says.
 */
import type { JsonObject } from '../../../shared/api/common.ts';
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import type { Cache } from '../../platform/core/cache.ts';
import { afterCommit, type Tx } from '../../platform/database/transaction.ts';
import { mainThread, threadOf } from '../receipts/receipts.ts';
import type { CountNotifications } from '../rooms/events/append-events.ts';
import type { FinishedEvent } from '../rooms/events/event.ts';
import { knownState, learnState, type OpenRoom } from '../rooms/events/open-room.ts';
import { powerLevels } from '../rooms/events/power-levels.ts';
import { type EventInRoom, eventInRoom } from './conditions.ts';
import { type CompiledRules, compileRules, evaluate, quietRooms, sharedRules } from './evaluate.ts';
import { insertNotifyingEvent, insertOwnNotifications, type OwnNotification } from './notification-store.ts';
import { type Action, isHighlighted, isNotified, noOwnRules } from './push-rule.ts';
import { listChangedRules, listOwnRules, type OwnRuleset } from './push-rule-store.ts';
import { namedIn, peopleOf, type RoomPeople, type RoomPeopleCache } from './room-people.ts';

/** The rules of one user, ready to be asked. */
export type PersonalRules = {
  rules: CompiledRules;
  ignored: ReadonlySet<string>;
  quiet: ReturnType<typeof quietRooms>;
  /** In characters of the JSON of which they were made. */
  length: number;
};

/** As many characters count as one entry of a cache: most people's own rules, and whom they ignore, are shorter. */
const ofOnePerson = 4_000;
export const personalSize = ({ length }: PersonalRules): number =>
  Math.max(1, Math.ceil(length / ofOnePerson));

/** As many people are looked at between two looks at the clock. */
const peopleAtOnce = 20;
/** How many rows one statement writes: some milliseconds of work. */
const rowsAtOnce = 100;

/**
 * @param people of rooms
 * @param personal of those who have rules of their own
 */
export function createNotificationCounting(
  people: RoomPeopleCache,
  personal: Cache<string, PersonalRules>,
): CountNotifications {
  /** Users with their own rules, and the last change of rules that was read. */
  const owners = new Set<string>();
  let version = 0;
  /** Returns the users whose rules have changed; remembers the changes only after the commit. */
  async function askWhoChanged(tx: Tx): Promise<ReadonlySet<string>> {
    const changed = await listChangedRules(tx, version);
    if (changed.length === 0) return nobody;
    afterCommit(tx, () => {
      for (const each of changed) {
        owners.add(each.userId);
        personal.delete(each.userId);
        version = Math.max(version, each.version);
      }
    });
    return new Set(changed.map(({ userId }) => userId));
  }

  async function rulesFor(
    tx: Tx,
    userIds: readonly string[],
    changed: ReadonlySet<string>,
  ): Promise<Map<string, PersonalRules>> {
    const before = version;
    const found = new Map<string, PersonalRules>();
    const unknown: string[] = [];
    for (const userId of userIds) {
      const known = owners.has(userId) ? personal.get(userId) : withoutOwn(userId);
      const rules = changed.has(userId) ? undefined : known;
      if (rules) found.set(userId, rules);
      else unknown.push(userId);
    }
    for (const own of unknown.length > 0 ? await listOwnRules(tx, unknown) : []) {
      const rules = asPersonal(own);
      found.set(own.userId, rules);
      // What others noted meanwhile may be a change of these, and is not told again.
      if (!changed.has(own.userId) && version === before) personal.set(own.userId, rules);
      await yieldToEventLoop();
    }
    return found;
  }

  /** What one event brings to whom, apart from what it brings to everyone. */
  async function count(
    tx: Tx,
    room: OpenRoom,
    { event: { pdu }, place }: { event: FinishedEvent; place: number },
    { members, changed }: { members: RoomPeople; changed: ReadonlySet<string> },
  ): Promise<OwnNotification[]> {
    const event = eventInRoom(pdu, {
      joinedMembers: room.joinedMembers,
      mayNotify: (kind) => mayNotify(room, pdu.sender, kind),
    });
    const shared = evaluate(sharedRules, event, undefined);
    const meant = new Set([
      ...meantBy(event, members),
      ...ownersIn(owners, members),
      ...ownersIn(changed, members),
    ]);
    const invited = invitedBy(pdu);
    if (invited !== undefined) meant.add(invited);
    meant.delete(pdu.sender);

    const found: { userId: string; difference: Difference }[] = [];
    const rules = meant.size > 0 ? await rulesFor(tx, [...meant], changed) : new Map<string, PersonalRules>();
    let looks = 0;
    for (const [userId, { rules: compiled, ignored, quiet }] of rules) {
      if (++looks % peopleAtOnce === 0) await yieldToEventLoop();
      const actions = ignored.has(pdu.sender) ? [] : evaluate(compiled, event, members.names.get(userId));
      const isApart = quiet === 'everywhere' || quiet.has(room.roomId) || !members.names.has(userId);
      const difference = differenceOf(actions, isApart ? [] : shared);
      if (difference) found.push({ userId, difference });
    }
    if (!isNotified(shared) && found.length === 0) return [];
    const thread = pdu.state_key === undefined ? await threadOf(tx, pdu.content) : mainThread;
    const where = { roomId: room.roomId, place, threadId: thread === mainThread ? '' : thread };
    if (isNotified(shared)) {
      const highlight = isHighlighted(shared);
      await insertNotifyingEvent(tx, { ...where, sender: pdu.sender, highlight, actions: shared });
    }
    return found.map(({ userId, difference }) => ({ ...where, userId, ...difference }));
  }

  return async (tx, room, places) => {
    const changed = await askWhoChanged(tx);
    await learnState(room, [
      ['m.room.create', ''],
      ['m.room.power_levels', ''],
    ]);
    const members = await peopleOf(tx, people, room, Math.min(...places.values()));
    /** By user and thread: one statement writes only one row of each. */
    const unwritten = new Map<string, OwnNotification>();
    const write = async () => {
      if (unwritten.size > 0) await insertOwnNotifications(tx, [...unwritten.values()]);
      unwritten.clear();
    };
    for (const { event } of room.writes.events) {
      const place = places.get(event.eventId) ?? 0;
      for (const own of await count(tx, room, { event, place }, { members, changed })) {
        const key = `${own.userId} ${own.threadId}`;
        if (unwritten.has(key) || unwritten.size === rowsAtOnce) await write();
        unwritten.set(key, own);
      }
      await yieldToEventLoop();
    }
    await write();
  };
}

const nobody: ReadonlySet<string> = new Set();

type Difference = Pick<OwnNotification, 'notifies' | 'highlights' | 'actions'>;

const asPersonal = ({ userId, rules, ignored, length }: OwnRuleset): PersonalRules => ({
  rules: compileRules(userId, rules),
  ignored: new Set(ignored),
  quiet: quietRooms(rules),
  length,
});

const withoutOwn = (userId: string) => asPersonal({ userId, rules: noOwnRules, ignored: [], length: 0 });

function differenceOf(actions: readonly Action[], shared: readonly Action[]): Difference | undefined {
  const notifies = Number(isNotified(actions)) - Number(isNotified(shared));
  const highlights = Number(isHighlighted(actions)) - Number(isHighlighted(shared));
  // A phone may be asked for another sound where the numbers are the same.
  const isSame = !isNotified(actions) || JSON.stringify(actions) === JSON.stringify(shared);
  return notifies === 0 && highlights === 0 && isSame ? undefined : { notifies, highlights, actions };
}

/** Members whom an event mentions, or may mean by name where it doesn't say. */
function meantBy({ event, body, hasMentions }: EventInRoom, members: RoomPeople): Iterable<string> {
  if (!hasMentions) return body ? namedIn(members, body) : [];
  const { user_ids: mentioned } = (event.content as { 'm.mentions': { user_ids?: unknown } })['m.mentions'];
  return Array.isArray(mentioned) ? mentioned.filter((userId) => members.names.has(userId)) : [];
}

const invitedBy = ({ type, state_key: target, content }: FinishedEvent['pdu']): string | undefined =>
  type === 'm.room.member' && content.membership === 'invite' ? target : undefined;

/** Whoever of a room has rules of their own: the shorter list is looked through. */
function ownersIn(owners: ReadonlySet<string>, { names }: RoomPeople): string[] {
  const [few, many] = owners.size < names.size ? [owners, names] : [names, owners];
  return [...few.keys()].filter((userId) => many.has(userId));
}

/** Whether somebody may notify the room. Matrix specification, `m.room.power_levels`, `notifications`. */
function mayNotify(room: OpenRoom, sender: string, kind: string): boolean {
  const content = knownState(room, ['m.room.power_levels', ''])?.content;
  const creator = knownState(room, ['m.room.create', ''])?.sender ?? '';
  const notifications = (content?.notifications ?? {}) as JsonObject;
  const needed = Object.hasOwn(notifications, kind) ? notifications[kind] : undefined;
  return powerLevels(content, creator).ofUser(sender) >= (Number.isSafeInteger(needed) ? Number(needed) : 50);
}
