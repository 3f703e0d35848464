/** The joined members of a room and their display names, as a log of changes. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import type { Database } from '../../platform/database/schema.ts';

export async function isEventAt(db: Database, eventId: string, position: number): Promise<boolean> {
  const { rows } = await selectPosition(db, { eventId });
  return rows[0]?.position === position;
}

const selectPosition = builtOnce((db, { eventId }: { eventId: string }) =>
  db.selectFrom('events').select('stream_ordering as position').where('event_id', '=', eventId),
);

type MemberEvent = {
  userId: string;
  isJoined: boolean;
  /** Display name in the room. */
  name: string | undefined;
  position: number;
  eventId: string;
};

type Range = { roomId: string; after: number; before: number; limit: number };

/** The current member events of a room whose positions are in a range, oldest first. */
export async function listMembersBetween(db: Database, range: Range): Promise<MemberEvent[]> {
  const { rows } = await selectMembers(db, range);
  return rows.map((row) => ({
    userId: row.user_id,
    isJoined: row.membership === 'join',
    name: row.membership === 'join' ? nameIn(row.json) : undefined,
    position: row.position,
    eventId: row.event_id,
  }));
}

const selectMembers = builtOnce((db, { roomId, after, before, limit }: Range) =>
  db
    .selectFrom('memberships')
    .innerJoin('events', 'events.stream_ordering', 'memberships.stream_ordering')
    .select([
      'memberships.user_id',
      'memberships.membership',
      'memberships.stream_ordering as position',
      'events.event_id',
      'events.json',
    ])
    .where('memberships.room_id', '=', roomId)
    .where('memberships.stream_ordering', '>', after)
    .where('memberships.stream_ordering', '<', before)
    .orderBy('memberships.stream_ordering')
    .limit(limit),
);

function nameIn(json: string): string | undefined {
  const { content } = readJson(json) as { content: JsonObject };
  return typeof content.displayname === 'string' ? content.displayname : undefined;
}
