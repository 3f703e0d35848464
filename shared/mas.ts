/** The admin API of Matrix Authentication Service: where it is, and whether a session may use it. */
import { Type } from 'typebox';
import { type Connection, ConnectionFailure, type Send, silenceOf } from './connection.ts';
import { fits } from './fits.ts';

export const masAdminPrefix = '/api/admin/v1';

const OwnAccount = Type.Object({ data: Type.Object({ id: Type.String({ maxLength: 100 }) }) });

/** Returns undefined where there is no MAS, or it doesn't expose its admin API there, or the token may not use it. */
export async function findMas(
  send: Send,
  { tokenEndpoint, accessToken, userId }: { tokenEndpoint: string; accessToken: string; userId: string },
): Promise<Connection['mas']> {
  // Not from the issuer: MAS can be configured with one that isn't its own address.
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
