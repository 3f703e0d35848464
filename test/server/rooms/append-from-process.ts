/** Run as a process of its own: appends messages to a room in a database that others write to as well. */

import type { Config } from '../../../server/config/config.ts';
import { inTransaction } from '../../../server/database/transaction.ts';
import { appendEvent } from '../../../server/rooms/append-events.ts';
import { openServices } from '../../../server/services.ts';

const [config = '', roomId = '', sender = '', count = ''] = process.argv.slice(2);
const services = await openServices(JSON.parse(config) as Config);
for (let index = 0; index < Number(count); index++) {
  const content = { msgtype: 'm.text', body: `from a process ${index}` };
  await inTransaction(services.db, (tx) =>
    appendEvent(tx, services, roomId, { type: 'm.room.message', sender, content }),
  );
}
await services.db.destroy();
