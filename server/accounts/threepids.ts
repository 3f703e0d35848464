/** Addresses that people give away. Matrix specification, "Adding Account Administrative Contact Information". */
import type { Config } from '../config/config.ts';
import { forbidden } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { deleteThreepid, type Threepid } from './identity-store.ts';

export type ThreepidContext = { db: Database; config: Pick<Config, 'externalAuthentication'> };

/** Takes an address from a user, if it is theirs. @throws MatrixError 403 where an external service keeps them */
export async function removeThreepid(
  { db, config }: ThreepidContext,
  userId: string,
  threepid: Pick<Threepid, 'medium' | 'address'>,
): Promise<void> {
  if (config.externalAuthentication) throw forbidden('3PID changes are disabled on this server');
  await inTransaction(db, (tx) => deleteThreepid(tx, userId, threepid));
}
