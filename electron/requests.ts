/** The page's requests to a connected server: the address and the token are added here. */
import type { BridgeReply, BridgeRequest } from '../shared/bridge.ts';
import { ConnectionFailure, type Send } from '../shared/connection.ts';
import type { Connections } from './connections.ts';
import { requestUrl } from './request-url.ts';

/** What a reply would hold that began a session. */
const secretFields = ['access_token', 'refresh_token', 'login_token'];

/** @throws ConnectionFailure `no_such_connection`, `refused`, `unreachable`, `timeout` */
export async function sendRequest(
  connections: Connections,
  send: Send,
  { connectionId, method, path, body }: BridgeRequest,
): Promise<BridgeReply> {
  const { connection, accessToken } = connections.session(connectionId);
  const url = requestUrl(connection, path);
  if (method === 'GET' && body !== undefined) {
    throw new ConnectionFailure('refused', 'A request that reads has no body.');
  }
  const reply = await send({ method, url, accessToken, ...(body === undefined ? {} : { body }) });
  // Second to the refusal of the path: a server may hand out sessions at addresses of its own.
  if (isObject(reply.body) && secretFields.some((field) => field in Object(reply.body))) {
    throw new ConnectionFailure('refused', 'The reply holds a secret, which stays in the main process.');
  }
  return { status: reply.status, body: reply.body };
}

const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null;
