import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../server/config/load.ts';
import { inTransaction } from '../../server/database/transaction.ts';
import { appendEvents } from '../../server/rooms/append-events.ts';
import { createRoom } from '../../server/rooms/create-room.ts';
import { openServices } from '../../server/services.ts';
import { administratorOf } from './homeserver-client.ts';
import { hosts, why } from './hosts.ts';

describe.each(hosts)('in $name', (host) => {
  test.skipIf(host.missing)(
    `an administrator watches a task go from active to complete${why(host.missing)}`,
    async () => {
      await using running = await host.start();
      const { page, dataDir } = running;
      const administrator = await administratorOf(running);
      const roomId = await longRoom(dataDir);

      await page.getByRole('link', { name: /^Tasks/ }).click();
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

      // The screen looks again by itself while something is active, and soon enough to see it begin.
      await page.keyboard.press('r');
      await status(/Active/).waitFor();
      await status(/Complete/).waitFor({ timeout: 60_000 });
    },
  );
});

/** A room with so long a history that purging it takes a while. */
async function longRoom(dataDir: string): Promise<string> {
  const services = await openServices(await loadConfig({ dataDir }));
  const sender = '@auditor:localhost';
  try {
    return await inTransaction(services.db, async (tx) => {
      const roomId = await createRoom(tx, services, sender, { preset: 'public_chat', name: 'Long' });
      const drafts = Array.from({ length: 20_000 }, (_, index) => ({
        type: 'm.room.message',
        sender,
        content: { msgtype: 'm.text', body: `message ${index}` },
      }));
      await appendEvents(tx, services, roomId, drafts);
      return roomId;
    });
  } finally {
    await services.db.destroy();
  }
}
