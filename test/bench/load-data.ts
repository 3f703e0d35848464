/** What a large server holds, written past its requests: filing a million reports over HTTP would take all day. */
import { insertUser } from '../../server/accounts/user-store.ts';
import { inTransaction } from '../../server/database/transaction.ts';
import { insertMedia } from '../../server/media/media-store.ts';
import { insertReports, type NewReport } from '../../server/reports/event-report-store.ts';
import { countRoom, insertRoom } from '../../server/rooms/room-store.ts';
import type { Services } from '../../server/services.ts';
import { insertTask } from '../../server/tasks/scheduled-task-store.ts';

/** As many reporters, senders and rooms as a large server has; which of them come together is mixed. */
export async function loadReports({ db }: Services, count: number): Promise<void> {
  const batch = 20_000;
  for (let start = 0; start < count; start += batch) {
    const rows = Array.from({ length: Math.min(batch, count - start) }, (_, offset): NewReport => {
      const index = start + offset;
      return {
        receivedTs: 1_700_000_000_000 + index,
        roomId: `!room${(index * 7) % 50}:localhost`,
        eventId: `$event${index % 100_000}`,
        userId: `@reporter${(index * 11) % 200}:localhost`,
        sender: `@sender${(index * 13) % 300}:localhost`,
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
      // Only ended ones and ones of the far future: the server must have nothing to do.
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

/** People with names that are alike, as they are. */
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

/** Rooms without anything in them but what lists know of them. */
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

/** Uploads of a fifth as many people, without their content. */
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
