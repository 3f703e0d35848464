/** Room upgrades. Client-server API, "Room upgrades". */
import type { JsonObject } from '../../../../shared/api/common.ts';
import { lockActiveUser } from '../../../identity/accounts/user-store.ts';
import { ignoreRefusal, MatrixError, notFound } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../../platform/database/transaction.ts';
import { moveAliases } from '../directory/alias-store.ts';
import { appendEvents, type EventDraft, type RoomContext } from '../events/append-events.ts';
import type { StoredEvent } from '../events/event-store.ts';
import { lockRoom, type RoomRecord, setRoomPublic } from '../room-store.ts';
import { creatorsOf, type RoomRules } from '../room-version.ts';
import { listState } from '../state/current-state-store.ts';
import { findState } from '../state/room-state-store.ts';
import { carryOver } from './carry-over.ts';
import { planRoom, requireSupported, writePlannedRoom } from './create-room.ts';
import { stateDraft } from './first-events.ts';

/** State that is copied; power levels and bans are handled separately. */
const copied = new Set([
  'm.room.join_rules',
  'm.room.name',
  'm.room.topic',
  'm.room.history_visibility',
  'm.room.guest_access',
  'm.room.avatar',
  'm.room.encryption',
  'm.room.server_acl',
  'm.space.child',
]);

export type Upgrade = { userId: string; version: string; additionalCreators?: string[] | undefined };

/**
 * Creates a replacement for a room, moves its state, bans, aliases and directory entry, and closes the old one: it gets a
 * tombstone, and only moderators can write to it.
 *
 * @returns the new room ID
 * @throws MatrixError 400 for an unsupported version; 403 if the user may not close the room; 404
 */
export async function upgradeRoom(
  context: RoomContext & { db: Database },
  roomId: string,
  { userId, version, additionalCreators }: Upgrade,
): Promise<string> {
  const rules = requireSupported(version);
  return inTransaction(context.db, async (tx) => {
    await lockActiveUser(tx, userId);
    const old = await lockRoom(tx, roomId);
    if (!old) throw notFound(`Could not find room ${roomId}`);
    const state = await listState(tx, roomId);
    const stateOf = (type: string) => state.find(({ pdu }) => pdu.type === type && pdu.state_key === '');
    const contentOf = (type: string) => stateOf(type)?.pdu.content;
    const earlier = await earlierUpgrade(tx, context, stateOf('m.room.tombstone'));
    if (earlier?.by === userId) return earlier.newRoomId;
    if (earlier) {
      throw new MatrixError(400, 'M_UNKNOWN', 'An upgrade for this room is currently in progress');
    }
    const levels = contentOf('m.room.power_levels') ?? {};
    const creation = creationOf(contentOf('m.room.create') ?? {}, old, rules, additionalCreators);
    const creators = rules.hasPrivilegedCreators
      ? creatorsOf({ sender: userId, content: { ...creation, room_version: rules.version } })
      : [];
    const newLevels = levelsWithout(levels, creators);
    const planned = await planRoom(tx, context, userId, {
      preset: 'private_chat',
      room_version: version,
      creation_content: creation,
      initial_state: [
        // The user may lack the power to set up the new room.
        stateEvent(
          'm.room.power_levels',
          '',
          rules.hasPrivilegedCreators ? newLevels : empowered(newLevels, userId),
        ),
        ...state
          .filter(({ pdu: { type, content }, redactedBy }) =>
            type === 'm.room.member' ? content.membership === 'ban' : copied.has(type) && redactedBy === null,
          )
          .map(({ pdu: { type, state_key = '', content } }) => stateEvent(type, state_key, content)),
      ],
    });
    const newRoomId = planned.room.roomId;

    await appendEvents(tx, context, roomId, [tombstone(userId, newRoomId)]);
    await writePlannedRoom(tx, context, planned);
    await takeNames(tx, context, { old, newRoomId, userId, name: contentOf('m.room.canonical_alias') });
    if (!rules.hasPrivilegedCreators && empowered(newLevels, userId) !== newLevels) {
      await appendEvents(tx, context, newRoomId, [
        { ...stateDraft(userId, 'm.room.power_levels'), content: newLevels },
      ]);
    }
    // A user who may close a room may lack the power to change it further.
    await appendEvents(tx, context, roomId, [
      { ...stateDraft(userId, 'm.room.power_levels'), content: silenced(levels) },
    ]).catch(ignoreRefusal);
    await carryOver(tx, context.notifier, userId, newRoomId);
    return newRoomId;
  });
}

/** Like Synapse, a repeated request within this time returns the same room, in milliseconds. */
const repetitionTime = 5 * 60_000;

async function earlierUpgrade(
  tx: Tx,
  { clock }: RoomContext,
  closing: StoredEvent | undefined,
): Promise<{ by: string; newRoomId: string } | undefined> {
  if (!closing || clock.now() - closing.pdu.origin_server_ts >= repetitionTime) return undefined;
  const { sender, room_id: roomId, content } = closing.pdu;
  const newRoomId = String(content.replacement_room);
  const [creation] = await findState(tx, newRoomId, [['m.room.create', '']]);
  const predecessor = creation?.pdu.content.predecessor as JsonObject | undefined;
  const isOurs = predecessor?.room_id === roomId && creation?.pdu.sender === sender;
  return isOurs ? { by: sender, newRoomId } : undefined;
}

const stateEvent = (type: string, state_key: string, content: JsonObject) => ({ type, state_key, content });

const tombstone = (sender: string, newRoomId: string): EventDraft => ({
  ...stateDraft(sender, 'm.room.tombstone'),
  content: { body: 'This room has been replaced', replacement_room: newRoomId },
});

/** Copies the old create event's content, except the creators. */
function creationOf(
  { creator: _, room_version: __, predecessor: ___, additional_creators: ____, ...rest }: JsonObject,
  { roomId, headEventId }: RoomRecord,
  { hasPrivilegedCreators }: RoomRules,
  additionalCreators: string[] | undefined,
): JsonObject {
  return {
    ...rest,
    ...(hasPrivilegedCreators && additionalCreators && { additional_creators: additionalCreators }),
    predecessor: { room_id: roomId, ...(!hasPrivilegedCreators && { event_id: headEventId }) },
  };
}

/** From room version 12 on, creators may not be listed. */
function levelsWithout(levels: JsonObject, creators: readonly string[]): JsonObject {
  const users = Object.entries((levels.users ?? {}) as JsonObject);
  return { ...levels, users: Object.fromEntries(users.filter(([userId]) => !creators.includes(userId))) };
}

/** Raises the user's level as far as needed to set up a room. Returns the same object if that's not needed. */
function empowered(levels: JsonObject, userId: string): JsonObject {
  const users = (levels.users ?? {}) as Record<string, number>;
  const events = Object.values((levels.events ?? {}) as Record<string, number>);
  const needed = Math.max(100, Number(levels.state_default ?? 50), ...events);
  if ((users[userId] ?? 0) >= needed) return levels;
  return { ...levels, users: { ...users, [userId]: needed } };
}

/** Raises the levels for sending events and inviting above the default level of users. */
function silenced(levels: JsonObject): JsonObject {
  const floor = Math.max(Number(levels.users_default ?? 0) + 1, 50);
  const atLeast = (name: string) => Math.max(Number(levels[name] ?? 0), floor);
  return { ...levels, events_default: atLeast('events_default'), invite: atLeast('invite') };
}

type Succession = { old: RoomRecord; newRoomId: string; userId: string; name: JsonObject | undefined };

/** Moves aliases and the directory entry. */
async function takeNames(
  tx: Tx,
  context: RoomContext,
  { old, newRoomId, userId, name }: Succession,
): Promise<void> {
  const successor = await lockRoom(tx, newRoomId);
  if (old.isPublic && successor) {
    await setRoomPublic(tx, successor, true);
    const current = await lockRoom(tx, old.roomId);
    if (current) await setRoomPublic(tx, current, false);
  }
  await moveAliases(tx, old.roomId, newRoomId);
  if (!name) return;
  const naming = stateDraft(userId, 'm.room.canonical_alias');
  await appendEvents(tx, context, old.roomId, [{ ...naming, content: {} }]).catch(ignoreRefusal);
  await appendEvents(tx, context, newRoomId, [{ ...naming, content: name }]).catch(ignoreRefusal);
}
