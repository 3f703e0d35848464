import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openServices } from '../../server/app/services.ts';
import { createRoom } from '../../server/conversation/rooms/creation/create-room.ts';
import { appendEvents } from '../../server/conversation/rooms/events/append-events.ts';
import { loadConfig } from '../../server/platform/config/load.ts';
import { inTransaction } from '../../server/platform/database/transaction.ts';
import { administratorOf } from './homeserver-client.ts';
import { hosts, openScreen, why } from './hosts.ts';

describe.each(hosts)('in $name', (host) => {
  test.skipIf(host.missing)(
    `an administrator watches a task go from active to complete${why(host.missing)}`,
    async () => {
      await using running = await host.start();
      const { page, dataDir } = running;
      const administrator = await administratorOf(running);
      const roomId = await longRoom(dataDir);

      await openScreen(page, 'Tasks');
      await page.getByText(/No tasks/i).waitFor();
      const status = (name: RegExp) => page.getByRole('row').filter({ hasText: roomId }).getByText(name);
      const { body } = await administrator.post(
        `/_service/admin/v1/purge_history/${encodeURIComponent(roomId)}`,
        {
          purge_up_to_ts: Date.now(),
          delete_local_events: true,
        },
      );
      expect(body.purge_id).toEqual(expect.any(String));

      using held = holdWhileActive(dataDir, body.purge_id as string);
      await page.keyboard.press('r');
      await status(/Running/).waitFor();
      held.release();
      // The screen looks again by itself while something is active.
      await status(/Complete/).waitFor();
    },
  );
});

/**
 * Writes into the homeserver's database, as another process may, from between two of the task's pieces on:
 * reading goes on, and the task waits.
 */
function holdWhileActive(dataDir: string, taskId: string) {
  const database = new SqliteDatabase(join(dataDir, 'homeserver.db'), { timeout: 0 });
  const statusOf = database.prepare('select status from scheduled_tasks where id = ?').pluck();
  // The server writes in many short pieces: to come in between is a matter of trying without a pause.
  for (;;) {
    if (!beginWriting(database)) continue;
    const status = statusOf.get(taskId);
    if (status === 'active') break;
    database.exec('rollback');
    if (status !== 'scheduled') throw new Error(`the task was ${status} before it could be held`);
  }
  const release = () => void database.close();
  return { release, [Symbol.dispose]: release };
}

/** False where another process writes at the moment. */
function beginWriting(database: SqliteDatabase.Database): boolean {
  try {
    database.exec('begin immediate');
    return true;
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_BUSY') return false;
    throw error;
  }
}

/** A room with so long a history that purging it takes a while. */
async function longRoom(dataDir: string): Promise<string> {
  const services = await openServices(await loadConfig({ dataDir }));
  const sender = '@auditor:localhost';
  try {
    const roomId = await createRoom(services, sender, { preset: 'public_chat', name: 'Long' });
    await inTransaction(services.db, async (tx) => {
      const drafts = Array.from({ length: 20_000 }, (_, index) => ({
        type: 'm.room.message',
        sender,
        content: { msgtype: 'm.text', body: `message ${index}` },
      }));
      await appendEvents(tx, services, roomId, drafts);
    });
    return roomId;
  } finally {
    await services.db.destroy();
  }
}
