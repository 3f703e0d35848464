/** Fills a server's database directly: filing a million reports over HTTP would take all day. */
import { sql } from 'kysely';
import { insertReports, type NewReport } from '../../server/administration/reports/event-report-store.ts';
import type { Services } from '../../server/app/services.ts';
import { countRoom, insertRoom } from '../../server/conversation/rooms/room-store.ts';
import { roomWord } from '../../server/conversation/search/search-index-store.ts';
import { insertUser } from '../../server/identity/accounts/user-store.ts';
import { insertMedia } from '../../server/identity/media/media-store.ts';
import { isPostgres } from '../../server/platform/database/engine.ts';
import { writeFact } from '../../server/platform/database/server-facts.ts';
import { inTransaction } from '../../server/platform/database/transaction.ts';
import { insertTask } from '../../server/platform/tasks/scheduled-task-store.ts';

/** A room with half of all reports, and a reporter with a third. A sixth of all reports have both. */
export const busy = { room: '!busy:localhost', reporter: '@busy:localhost' };

/**
 * Inserts reports with as many reporters, senders and rooms as on a large server, plus the busy ones. Their counts
 * are coprime, so that combinations vary.
 */
export async function loadReports({ db }: Services, count: number): Promise<void> {
  const batch = 20_000;
  for (let start = 0; start < count; start += batch) {
    const rows = Array.from({ length: Math.min(batch, count - start) }, (_, offset): NewReport => {
      const index = start + offset;
      return {
        receivedTs: 1_700_000_000_000 + index,
        roomId: index % 2 === 0 ? busy.room : `!room${(index * 7) % 53}:localhost`,
        eventId: `$event${index % 100_000}`,
        userId: index % 3 === 0 ? busy.reporter : `@reporter${(index * 11) % 199}:localhost`,
        sender: `@sender${(index * 13) % 301}:localhost`,
        reason: 'A reason of the usual length, which is one sentence.',
        score: -(index % 101),
      };
    });
    await inTransaction(db, (tx) => insertReports(tx, rows));
  }
}

export async function loadTasks({ db }: Services, count: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (let index = 0; index < count; index++) {
      // Only finished tasks and tasks in the far future, so that the server has nothing to run.
      const status = index % 100 === 0 ? 'failed' : index % 2 === 0 ? 'complete' : 'scheduled';
      await insertTask(tx, {
        id: `task${index}`,
        action: 'purge_history',
        status,
        timestampMs: Date.now() + (status === 'scheduled' ? 1e10 : 0) - index,
        resourceId: `!room${index}:localhost`,
        params: {},
        result: status === 'complete' ? { purged_events: index } : null,
        error: status === 'failed' ? 'No such room' : null,
      });
    }
  });
}

const batch = 5_000;

/** Inserts users with similar names. */
export async function loadUsers({ db }: Services, count: number): Promise<void> {
  for (let start = 0; start < count; start += batch) {
    await inTransaction(db, async (tx) => {
      for (let index = start; index < Math.min(count, start + batch); index++) {
        await insertUser(tx, {
          userId: `@person${index}:localhost`,
          createdTs: 1_700_000_000_000 + index * 1000,
          appServiceId: null,
          displayName: `Person ${(index * 7919) % count}`,
        });
      }
    });
  }
}

/** Inserts empty rooms with only the data that room lists show. */
export async function loadRooms({ db }: Services, count: number): Promise<void> {
  for (let start = 0; start < count; start += batch) {
    await inTransaction(db, async (tx) => {
      for (let index = start; index < Math.min(count, start + batch); index++) {
        const room = {
          roomId: `!room${index}:localhost`,
          roomVersion: '11',
          creator: `@person${index}:localhost`,
          createdTs: 1_700_000_000_000 + index * 1000,
          name: index % 5 === 0 ? null : `Room ${(index * 7919) % count}`,
          topic: null,
          canonicalAlias: index % 3 === 0 ? `#room${index}:localhost` : null,
          joinRule: 'invite',
          historyVisibility: 'shared',
          isPublic: index % 10 === 0,
          joinedMembers: 1 + ((index * 13) % 500),
          avatar: null,
          encryption: index % 2 === 0 ? 'm.megolm.v1.aes-sha2' : null,
          guestAccess: null,
          roomType: null,
          federatable: true,
          stateEvents: 8 + ((index * 13) % 500),
          headEventId: null,
          headDepth: 0,
        };
        await insertRoom(tx, room);
        await countRoom(tx, room);
      }
    });
  }
}

/** Inserts uploads, without content, for a fifth as many users. */
export async function loadMedia({ db }: Services, count: number): Promise<void> {
  for (let start = 0; start < count; start += batch) {
    await inTransaction(db, async (tx) => {
      for (let index = start; index < Math.min(count, start + batch); index++) {
        await insertMedia(tx, {
          mediaId: `media${index}`,
          userId: `@person${(index * 7919) % Math.ceil(count / 5)}:localhost`,
          contentType: 'image/png',
          size: 1000 + ((index * 13) % 1_000_000),
          uploadName: `picture ${index}.png`,
          createdTs: 1_700_000_000_000 + index * 1000,
          sha256: null,
          quarantinedBy: null,
          authenticated: true,
        });
      }
    });
  }
}

/**
 * Inserts search index entries for messages in these rooms. Each message contains `common`, one of a thousand words
 * `often…` and one of a hundred thousand `seldom…`. Each room must have one message `first`, found by search.
 */
export async function loadMessages(
  { db }: Pick<Services, 'db'>,
  { roomIds, count }: { roomIds: readonly string[]; count: number },
): Promise<void> {
  const each = Math.ceil(count / roomIds.length);
  for (const [at, roomId] of roomIds.entries()) {
    await inTransaction(db, async (tx) => {
      const number = sql<number>`(i * ${sql.lit(roomIds.length)} + ${sql.lit(at)})`;
      const words = sql<string>`'common often' || (${number} % 1000) || ' seldom' || (${number} % 100000)`;
      const numbers = sql`recursive numbers(i) as (select 0 union all select i + 1 from numbers where i + 1 < ${sql.lit(each)})`;
      await sql`with ${numbers}
        insert into events (event_id, room_id, type, sender, origin_server_ts, depth, json)
        select '$loaded' || ${number}, room_id, type, sender, origin_server_ts + i, depth + 1 + i,
          replace(json, '"body":"first"', '"body":"' || ${words} || '"')
        from numbers, (select * from events where room_id = ${roomId} and json like '%"body":"first"%' limit 1) as message
        order by i`.execute(tx);
      const { rows } = await sql<{ place: number }>`select stream_ordering as place from events
        where event_id = ${`$loaded${at}`}`.execute(tx);
      // Index positions are consecutive.
      const place = sql`(${sql.lit(Number(rows[0]?.place))} + i)`;
      if (isPostgres(tx)) {
        await sql`with ${numbers} insert into search_index (place, room_id, words)
          select ${place}, ${roomId}, to_tsvector('simple', ${words}) from numbers`.execute(tx);
      } else {
        await sql`with ${numbers} insert into search_index (rowid, words, room)
          select ${place}, ${words}, ${roomWord(roomId)} from numbers`.execute(tx);
      }
      await writeFact(tx, 'search_index_place', String(Number(rows[0]?.place) + each - 1));
    });
  }
}
