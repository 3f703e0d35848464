/** Cross-signing of users, as far as administrators have to do with it. The reference homeserver's "User Admin API". */
import { postCrossSigningReset } from '../../shared/api/encryption-keys.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { NotFound } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';

/**
 * Lets a user replace their cross-signing keys without proving again who they are.
 *
 * @returns until when, in milliseconds since the Unix epoch
 */
export async function allowCrossSigningReset(server: Server, userId: string): Promise<number> {
  const path = `/v1/users/${encodeURIComponent(userId)}/_allow_cross_signing_replacement_without_uia`;
  try {
    const reply = await server.send('POST', postCrossSigningReset.response[200], path);
    return reply.updatable_without_uia_before_ms;
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'No cross-signing keys to replace. The client creates the first ones without a password.',
    );
  }
}
