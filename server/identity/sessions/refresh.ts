/** Matrix specification, client-server API, "Refreshing access tokens". */
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { forbidden, unknownToken, userLocked } from '../../platform/core/matrix-error.ts';
import { randomSecret, tokenHash } from '../../platform/core/secrets.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { lockUser } from '../accounts/user-store.ts';
import {
  deletePredecessors,
  deleteUnused,
  findRefreshToken,
  insertRefreshToken,
  type RefreshToken,
  setNextToken,
  wasUsed,
} from './refresh-token-store.ts';
import { insertRefreshedToken } from './session-store.ts';

type Context = { db: Database; clock: Clock; config: Pick<Config, 'sessions'> };

/** Tokens in plain text; only hashes are stored. */
type RefreshedSession = { accessToken: string; refreshToken: string; expiresInMs: number };

/**
 * Exchanges a refresh token for new tokens. It stays valid until they are used, so that a client that didn't get the
 * response can retry.
 *
 * @throws MatrixError 401 for an unknown or expired token; 403 if its successor was used
 */
export async function refreshSession(
  { db, clock, config }: Context,
  refreshToken: string,
): Promise<RefreshedSession> {
  const given = await findRefreshToken(db, tokenHash(refreshToken));
  if (!given) throw unknownToken('invalid refresh token');
  return inTransaction(db, async (tx) => {
    // A concurrent sign-out either comes first or ends these tokens as well.
    const user = await lockUser(tx, given.userId);
    const token = await findRefreshToken(tx, given.tokenHash);
    if (!user || user.deactivated || !token) throw unknownToken('refresh token does not exist');
    if (user.locked) throw userLocked();
    const now = clock.now();
    requireUnexpired(token, now);
    if (token.nextHash !== null) {
      const next = await findRefreshToken(tx, token.nextHash);
      if (!next || next.nextHash !== null || (await wasUsed(tx, next.accessHash))) {
        throw forbidden("refresh token isn't valid anymore");
      }
      await deleteUnused(tx, next);
    }
    await deletePredecessors(tx, token.tokenHash);

    const { userId, deviceId, sessionEndsTs } = token;
    const tokens = refreshableTokens(config, now, sessionEndsTs);
    const { accessHash, refreshHash, accessEndsTs, refreshEndsTs } = tokens;
    await insertRefreshedToken(tx, { userId, deviceId, tokenHash: accessHash, now, expiresTs: accessEndsTs });
    await insertRefreshToken(tx, {
      ...{ userId, deviceId, accessHash, sessionEndsTs },
      tokenHash: refreshHash,
      expiresTs: refreshEndsTs,
    });
    await setNextToken(tx, token.tokenHash, refreshHash);
    return tokens.session;
  });
}

/** Generates a pair of tokens with their expiry, in milliseconds since the Unix epoch. */
export function refreshableTokens(
  { sessions }: Pick<Config, 'sessions'>,
  now: number,
  sessionEndsTs: number | null,
) {
  const [accessToken, refreshToken] = [randomSecret(), randomSecret()];
  const notAfterSession = (ts: number) => Math.min(ts, sessionEndsTs ?? ts);
  const accessEndsTs = notAfterSession(now + sessions.refreshableTokenMs);
  const { refreshTokenMs } = sessions;
  const session: RefreshedSession = { accessToken, refreshToken, expiresInMs: accessEndsTs - now };
  return {
    session,
    accessHash: tokenHash(accessToken),
    refreshHash: tokenHash(refreshToken),
    accessEndsTs,
    refreshEndsTs: refreshTokenMs === undefined ? sessionEndsTs : notAfterSession(now + refreshTokenMs),
  };
}

function requireUnexpired({ expiresTs, sessionEndsTs }: RefreshToken, now: number): void {
  if (expiresTs !== null && expiresTs <= now) {
    throw unknownToken('The supplied refresh token has expired', { softLogout: true });
  }
  if (sessionEndsTs !== null && sessionEndsTs <= now) {
    throw unknownToken('The session has expired and can no longer be refreshed', { softLogout: true });
  }
}
