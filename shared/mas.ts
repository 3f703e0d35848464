/** Finds the admin API of Matrix Authentication Service (MAS). */
import { Type } from 'typebox';
import { type Connection, ConnectionFailure, type Send, silenceOf } from './connection.ts';
import { fits } from './fits.ts';

export const masAdminPrefix = '/api/admin/v1';

const OwnAccount = Type.Object({ data: Type.Object({ id: Type.String({ maxLength: 100 }) }) });

/** Returns undefined without MAS, if it doesn't expose its admin API, or if the token may not use it. */
export async function findMas(
  send: Send,
  { tokenEndpoint, accessToken, userId }: { tokenEndpoint: string; accessToken: string; userId: string },
): Promise<Connection['mas']> {
  // Not the issuer, which can be configured to another URL.
  const url = /^(https?:\/\/[^?#]+)\/oauth2\/token$/.exec(tokenEndpoint)?.[1];
  if (url === undefined) return undefined;
  const username = userId.slice(1, userId.indexOf(':'));
  const reply = await send({
    method: 'GET',
    url: `${url}${masAdminPrefix}/users/by-username/${encodeURIComponent(username)}`,
    accessToken,
  }).catch(silenceOf);
  if (reply instanceof ConnectionFailure || reply.status !== 200 || !fits(OwnAccount, reply.body)) {
    return undefined;
  }
  return { url, accountId: reply.body.data.id };
}
