import type { Connection, OutgoingRequest } from './connection.ts';
import { dialects } from './dialect.ts';

/** Returns the request of a login with a JSON Web Token. */
export function loginRequest({ baseUrl, dialect }: Connection, token: string): OutgoingRequest {
  const { chat, jwtLoginType } = dialects[dialect];
  return { method: 'POST', url: `${baseUrl}${chat}/client/v3/login`, body: { type: jwtLoginType, token } };
}
