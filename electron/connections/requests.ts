/** The page's requests to a connected server: the address and the token are added here. */
import { isAllowed } from '../../shared/allowed-requests.ts';
import type { BridgeReply, BridgeRequest } from '../../shared/bridge.ts';
import { ConnectionFailure, type Send } from '../../shared/connection.ts';
import { onBehalfOf } from '../../shared/oauth.ts';
import { outgoingRequest } from '../../shared/outgoing-request.ts';
import { workbench } from '../../shared/workbench/paths.ts';
import type { Connections } from './connections.ts';

/** What a reply would hold that began a session. */
const secretFields = ['access_token', 'refresh_token', 'login_token'];

export type Requests = ReturnType<typeof createRequests>;

export function createRequests(connections: Pick<Connections, 'authorized'>, send: Send) {
  /** Those that the page can give up, by the name that it gave them. */
  const underWay = new Map<string, AbortController>();
  const changes = new Set<Promise<unknown>>();

  async function answer({ connectionId, requestId, ...request }: BridgeRequest): Promise<BridgeReply> {
    const stop = new AbortController();
    if (requestId !== undefined) underWay.set(requestId, stop);
    try {
      const reply = await connections.authorized(connectionId, (session) => {
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
      // Second to the refusal of the path: a server may hand out sessions at addresses of its own.
      if (
        !isForTesters(request.path) &&
        isObject(reply.body) &&
        secretFields.some((field) => field in Object(reply.body))
      ) {
        throw new ConnectionFailure(
          'refused',
          /*i18n*/ 'The response contains a secret and stays in the main process.',
        );
      }
      return { status: reply.status, body: reply.body };
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

    /** Resolves when every change that was asked for is answered, also those of a page that has closed. */
    changesSettled: async (): Promise<void> => void (await Promise.all(changes)),
  };
}

/** What it makes and shows once are other people's passwords and tokens, on a server of one's own machine. */
const isForTesters = (path: string) => path.startsWith(`${workbench}/`);

const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null;
