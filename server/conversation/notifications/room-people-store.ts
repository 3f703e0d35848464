/** Who came, went or was renamed in a room, in the order in which they did. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import type { Database } from '../../platform/database/schema.ts';

/** Whether an event is at a place. */
export async function isEventAt(db: Database, eventId: string, place: number): Promise<boolean> {
  const { rows } = await selectPlace(db, { eventId });
  return rows[0]?.place === place;
}

const selectPlace = builtOnce((db, { eventId }: { eventId: string }) =>
  db.selectFrom('events').select('stream_ordering as place').where('event_id', '=', eventId),
);

export type MemberAt = {
  userId: string;
  isJoined: boolean;
  /** The name in the room. */
  name: string | undefined;
  place: number;
  eventId: string;
};

type Between = { roomId: string; after: number; before: number; limit: number };

/** What members of a room are now that they became after one place and before another, the oldest first. */
export async function listMembersBetween(db: Database, between: Between): Promise<MemberAt[]> {
  const { rows } = await selectMembers(db, between);
  return rows.map((row) => ({
    userId: row.user_id,
    isJoined: row.membership === 'join',
    name: row.membership === 'join' ? nameIn(row.json) : undefined,
    place: row.place,
    eventId: row.event_id,
  }));
}

const selectMembers = builtOnce((db, { roomId, after, before, limit }: Between) =>
  db
    .selectFrom('memberships')
    .innerJoin('events', 'events.stream_ordering', 'memberships.stream_ordering')
    .select([
      'memberships.user_id',
      'memberships.membership',
      'memberships.stream_ordering as place',
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
