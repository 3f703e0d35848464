/**
 * Display names of a room's members, cached for push rules that look for names in messages. Each process reads the member
 * events that are new since its last read; it appends under the room's lock, so it never misses one.
 */
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import type { Cache } from '../../platform/core/cache.ts';
import { localpartOf } from '../../platform/core/identifiers.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { OpenRoom } from '../rooms/events/open-room.ts';
import { containsWords, type SearchedText } from './conditions.ts';
import { isEventAt, listMembersBetween } from './member-name-store.ts';

export type MemberNames = {
  /** Position and ID of the member event that was read last. */
  upTo: number;
  lastEventId: string | undefined;
  /** The room's newest event without member changes since; undefined if unknown. */
  head: string | null | undefined;
  /** Joined members by user ID. */
  names: Map<string, string | undefined>;
  /** Members by the first word of their display name and of their localpart, in lower case. */
  byWord: Map<string, Set<string>>;
  /** Members whose display name contains no word. */
  wordless: Set<string>;
};

export type MemberNamesCache = Cache<string, MemberNames>;

const membersAtOnce = 500;

/**
 * Returns the members of an open room before a position. For a transaction that adds members, pass its first position:
 * its own members may be rolled back, and must not be cached.
 */
export async function membersOf(
  db: Database,
  cache: MemberNamesCache,
  { roomId, before: stored, headEventId, writes }: OpenRoom,
  before: number,
): Promise<MemberNames> {
  let members = cache.get(roomId) ?? noMembers();
  const isCurrent = stored !== undefined && stored.headEventId === members.head;
  if (!isCurrent) {
    // The transaction that read it may have been rolled back.
    const { lastEventId, upTo } = members;
    if (lastEventId !== undefined && !(await isEventAt(db, lastEventId, upTo))) members = noMembers();
    await readNewMembers(db, members, roomId, before);
  }
  members.head = writes.memberships.size === 0 ? headEventId : undefined;
  cache.set(roomId, members);
  return members;
}

const noMembers = (): MemberNames => ({
  upTo: 0,
  lastEventId: undefined,
  head: undefined,
  names: new Map(),
  byWord: new Map(),
  wordless: new Set(),
});

async function readNewMembers(
  db: Database,
  members: MemberNames,
  roomId: string,
  before: number,
): Promise<void> {
  for (;;) {
    const limit = membersAtOnce;
    const found = await listMembersBetween(db, { roomId, after: members.upTo, before, limit });
    for (const { userId, isJoined, name, position, eventId } of found) {
      members.upTo = position;
      members.lastEventId = eventId;
      removeMember(members, userId);
      if (isJoined) addMember(members, userId, name);
    }
    if (found.length < limit) return;
    await yieldToEventLoop();
  }
}

/** Members whose name may be in a text: a superset of those whose name is. */
export function namedIn({ byWord, wordless, names }: MemberNames, text: SearchedText): Set<string> {
  const found = new Set<string>();
  for (const word of new Set(text.text.match(words))) {
    for (const userId of byWord.get(word) ?? []) found.add(userId);
  }
  for (const userId of wordless) {
    if (containsWords(text.text, (names.get(userId) ?? '').toLowerCase())) found.add(userId);
  }
  return found;
}

const words = /[\p{L}\p{N}\p{M}\p{Pc}]+/gu;

function firstWords(userId: string, name: string | undefined): string[] {
  const [ofName] = name?.toLowerCase().match(words) ?? [];
  const [ofId] = localpartOf(userId).toLowerCase().match(words) ?? [];
  return [...(ofName === undefined ? [] : [ofName]), ...(ofId === undefined ? [] : [ofId])];
}

function addMember(members: MemberNames, userId: string, name: string | undefined): void {
  members.names.set(userId, name);
  for (const word of firstWords(userId, name)) {
    const userIds = members.byWord.get(word) ?? new Set();
    members.byWord.set(word, userIds.add(userId));
  }
  if (name && !name.toLowerCase().match(words)) members.wordless.add(userId);
}

function removeMember(members: MemberNames, userId: string): void {
  if (!members.names.has(userId)) return;
  for (const word of firstWords(userId, members.names.get(userId))) {
    const userIds = members.byWord.get(word);
    userIds?.delete(userId);
    if (userIds?.size === 0) members.byWord.delete(word);
  }
  members.wordless.delete(userId);
  members.names.delete(userId);
}
