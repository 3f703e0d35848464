/** The homeserver that `gatehouse watch` watches. */
import { type Static, type TSchema, Type } from 'typebox';
import {
  expectReply,
  type IncomingReply,
  type OutgoingRequest,
  type Send,
} from '../../../shared/connection.ts';
import type { Dialect } from '../../../shared/dialect.ts';

export type WatchedServer = {
  baseUrl: string;
  dialect: Dialect;
  /** Whose token it is. */
  userId: string;
  /** @throws ConnectionFailure `unreachable`, `timeout` */
  request(method: OutgoingRequest['method'], path: string, body?: unknown): Promise<IncomingReply>;
};

const WhoAmI = Type.Object({ user_id: Type.String() });

/** Finds out whose token it is. @throws ConnectionFailure */
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
