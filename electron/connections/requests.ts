/** Requests of the page to a connected server. Adds the address and the token. */
import { isAllowed } from '../../shared/allowed-requests.ts';
import type { BridgeReply, BridgeRequest } from '../../shared/bridge.ts';
import { ConnectionFailure, type Send } from '../../shared/connection.ts';
import { isObject } from '../../shared/is-object.ts';
import { onBehalfOf } from '../../shared/oauth.ts';
import { outgoingRequest } from '../../shared/outgoing-request.ts';
import { workbench } from '../../shared/workbench/paths.ts';
import type { Connections } from './connections.ts';

/** Fields of replies that start a session. */
const secretFields = ['access_token', 'refresh_token', 'login_token'];

export type Requests = ReturnType<typeof createRequests>;

export function createRequests(connections: Pick<Connections, 'authorized'>, send: Send) {
  /** Requests that the page can cancel, by the page's ID. */
  const underWay = new Map<string, AbortController>();
  const changes = new Set<Promise<unknown>>();

  async function answer({ connectionId, requestId, ...request }: BridgeRequest): Promise<BridgeReply> {
    const stop = new AbortController();
    if (requestId !== undefined) underWay.set(requestId, stop);
    try {
      const { status, body } = await connections.authorized(connectionId, (session) => {
        const outgoing = outgoingRequest(session, request);
        if (!isAllowed(session.connection, request)) {
          throw new ConnectionFailure(
            'refused',
            /*i18n*/ "The app doesn't allow this request: {request}. Use another program.",
            { request: `${request.method} ${request.path.split('?', 1)[0]}` },
          );
        }
        return onBehalfOf(send, session.connection.baseUrl)(outgoing, stop.signal);
      });
      // Second check after the path: a server may issue sessions on other paths.
      if (!isForTesters(request.path) && isObject(body) && secretFields.some((field) => field in body)) {
        throw new ConnectionFailure(
          'refused',
          /*i18n*/ 'The response contains a secret and stays in the main process.',
        );
      }
      return { status, body };
    } finally {
      if (requestId !== undefined) underWay.delete(requestId);
    }
  }

  return {
    /** @throws ConnectionFailure `no_such_connection`, `refused`, `unreachable`, `timeout`, `cancelled` */
    send(request: BridgeRequest): Promise<BridgeReply> {
      const reply = answer(request);
      if (request.method !== 'GET') {
        const end = reply.catch(() => {}).finally(() => changes.delete(end));
        changes.add(end);
      }
      return reply;
    },

    abort: (requestId: string): void => underWay.get(requestId)?.abort(),

    /** Resolves when all pending write requests are answered, including those of closed pages. */
    changesSettled: async (): Promise<void> => void (await Promise.all(changes)),
  };
}

/** Passwords and tokens of test users that it creates on the local server and shows once. */
const isForTesters = (path: string) => path.startsWith(`${workbench}/`);
