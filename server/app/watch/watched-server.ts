/** The homeserver that `gatehouse watch` watches. */
import { type Static, type TSchema, Type } from 'typebox';
import { ErrorBody } from '../../../shared/api/common.ts';
import {
  expectReply,
  failureOf,
  type IncomingReply,
  type OutgoingRequest,
  type Send,
  succeeded,
} from '../../../shared/connection.ts';
import type { Dialect } from '../../../shared/dialect.ts';
import { fits } from '../../../shared/fits.ts';
import type { ApiRequest } from '../../../shared/team/restrictions.ts';

export type WatchedServer = {
  baseUrl: string;
  dialect: Dialect;
  /** The owner of the token. */
  userId: string;
  /** @throws ConnectionFailure `unreachable`, `timeout` */
  request(method: OutgoingRequest['method'], path: string, body?: unknown): Promise<IncomingReply>;
};

const WhoAmI = Type.Object({ user_id: Type.String() });

/** Looks up the owner of the token. @throws ConnectionFailure */
export async function openWatchedServer(
  send: Send,
  { baseUrl, dialect }: { baseUrl: string; dialect: Dialect },
  accessToken: string,
): Promise<WatchedServer> {
  const request: WatchedServer['request'] = (method, path, body) =>
    send({ method, url: `${baseUrl}${path}`, accessToken, ...(body !== undefined && { body }) });
  const { user_id: userId } = expectReply(
    WhoAmI,
    await request('GET', `${dialect.chat}/client/v3/account/whoami`),
  );
  return { baseUrl, dialect, userId, request };
}

/** Returns a resource, or undefined if there is none. @throws ConnectionFailure */
export async function getOptional<Schema extends TSchema>(
  server: WatchedServer,
  schema: Schema,
  path: string,
): Promise<Static<Schema> | undefined> {
  const reply = await server.request('GET', path);
  return reply.status === 404 ? undefined : expectReply(schema, reply);
}

/** A permanent failure: the server refused, or there is no reason to act. The message is for the log. */
export class Refused extends Error {}

/** Sends a request that changes something. @throws Refused @throws ConnectionFailure if it may succeed later */
export async function act(server: WatchedServer, { api, method, path, body }: ApiRequest): Promise<void> {
  const prefix = api === 'chat' ? server.dialect.chat : `${server.dialect.administration}/admin`;
  const reply = await server.request(method, prefix + path, body?.value);
  if (succeeded(reply)) return;
  // If the admin API refuses with 403, the watcher's user is no longer an admin: another one can do it.
  const isFinal = reply.status < 500 && ![401, 429, ...(api === 'admin' ? [403] : [])].includes(reply.status);
  if (isFinal)
    throw new Refused(fits(ErrorBody, reply.body) ? reply.body.error : `HTTP status ${reply.status}`);
  throw failureOf(reply);
}
