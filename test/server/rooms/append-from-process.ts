/** Program that appends messages to a room in a shared database. */

import { openServices } from '../../../server/app/services.ts';
import { appendEvent } from '../../../server/conversation/rooms/events/append-events.ts';
import type { Config } from '../../../server/platform/config/config.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';

const [config = '', roomId = '', sender = '', count = ''] = process.argv.slice(2);
const services = await openServices(JSON.parse(config) as Config);
for (let index = 0; index < Number(count); index++) {
  const content = { msgtype: 'm.text', body: `from a process ${index}` };
  await inTransaction(services.db, (tx) =>
    appendEvent(tx, services, roomId, { type: 'm.room.message', sender, content }),
  );
}
await services.db.destroy();
