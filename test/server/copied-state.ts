/** Rooms with more state than a test could send. */
import { type RawBuilder, sql } from 'kysely';
import { openDatabase } from '../../server/platform/database/database.ts';
import type { TestHomeserver } from './homeserver.ts';

type Copied = {
  room: string;
  /** Type and state key of the existing event. */
  type: string;
  stateKey: string;
  /** State key of each copy, computed from its number, and the number of copies. */
  copyKey: RawBuilder<string>;
  copies: number;
};

/** Copies one of the room's state events. The expression for a copy's key may use the column `number`. */
export async function copyState(
  homeserver: TestHomeserver,
  { room, type, stateKey, copyKey, copies }: Copied,
): Promise<void> {
  const db = await openDatabase(homeserver.config.database);
  const { stream_ordering: _, ...one } = await db
    .selectFrom('events')
    .selectAll()
    .where('type', '=', type)
    .where('room_id', '=', room)
    .executeTakeFirstOrThrow();
  const eventId = sql`'$copy' || number`;
  const json = sql`replace(json, ${JSON.stringify(stateKey)}, '"' || ${copyKey} || '"')`;
  const own: Record<string, RawBuilder<unknown>> = { event_id: eventId, state_key: copyKey, json };
  const columns = Object.keys(one);
  // In several statements, each of which has to end within the server's time limit.
  for (let first = 1; first <= copies; first += 10_000) {
    const last = Math.min(first + 9_999, copies);
    const numbers = sql`with recursive numbers(number) as
      (select ${sql.lit(first)} union all select number + 1 from numbers where number < ${sql.lit(last)})`;
    await sql`${numbers} insert into events (${sql.join(columns.map((name) => sql.ref(name)))})
      select ${sql.join(columns.map((name) => own[name] ?? sql.ref(name)))} from numbers, events
      where event_id = ${one.event_id} order by number`.execute(db);
    await sql`${numbers} insert into current_state (type, room_id, state_key, event_id)
      select type, room_id, ${copyKey}, ${eventId} from numbers, events
      where event_id = ${one.event_id}`.execute(db);
  }
  // PostgreSQL's autovacuum would do this later.
  await sql`analyze current_state`.execute(db);
  await db.destroy();
}
