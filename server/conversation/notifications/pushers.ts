import type { JsonObject } from '../../../shared/api/common.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError, missingParameter } from '../../platform/core/matrix-error.ts';
import type { Requester } from '../../platform/core/requester.ts';
import { settledEventPosition } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { listPushers, type PusherContent, setPusher } from './pusher-store.ts';

const maxPushers = 100;

/** Adds a pusher, for events from now on. @throws MatrixError 400 for an invalid gateway URL */
export async function addPusher(
  { db, clock }: { db: Database; clock: Clock },
  { userId, deviceId }: Requester,
  pusher: { appId: string; pushkey: string; content: PusherContent; append: boolean },
): Promise<void> {
  gatewayOf(pusher.content.data);
  const position = await settledEventPosition(db);
  await inTransaction(db, async (tx) => {
    const { append, ...rest } = pusher;
    await setPusher(tx, { ...rest, userId, deviceId, createdTs: clock.now(), position }, { append });
    if ((await listPushers(tx, userId)).length > maxPushers) {
      throw new MatrixError(400, 'M_UNKNOWN', 'Too many pushers. Remove some first.');
    }
  });
}

/** @throws MatrixError 400 */
export function gatewayOf({ url }: JsonObject): URL {
  if (url === undefined) throw missingParameter("Config Error: 'url' required in data for HTTP pusher");
  const problem = (sentence: string) => new MatrixError(400, 'M_MISSING_PARAM', `Config Error: ${sentence}`);
  if (typeof url !== 'string') throw problem("'url' must be a string");
  const address = URL.parse(url);
  if (!address || !/^https?:$/.test(address.protocol) || address.pathname !== '/_matrix/push/v1/notify') {
    throw problem("'url' must have a path of '/_matrix/push/v1/notify'");
  }
  return address;
}
