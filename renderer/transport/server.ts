import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { EmptyObject, ErrorBody } from '../../shared/api/common.ts';
import {
  type Connection,
  ConnectionFailure,
  expectReply,
  type IncomingReply,
} from '../../shared/connection.ts';
import { dialects } from '../../shared/dialect.ts';
import type { ConsoleHost, HostRequest } from './host.ts';
import type { ReachabilityStore } from './reachability.ts';

/** The server has no such thing (any more). */
export class NotFound extends ConnectionFailure {
  constructor() {
    super('refused', 'The server no longer has this. Someone may have deleted it.');
  }
}

/** The server doesn't know the request at all. */
export class NoSuchEndpoint extends ConnectionFailure {
  constructor() {
    super('refused', 'The server does not know this request. It may be of another version or kind.');
  }
}

type Options = { signal?: AbortSignal };

/** A connected server as data access sees it: paths without prefix in, checked replies out. */
export type Server = {
  id: string;
  connection: Connection;
  /** The administration API, for example `/v1/event_reports`. Throws `ConnectionFailure`. */
  get<Schema extends TSchema>(schema: Schema, path: string, options?: Options): Promise<Static<Schema>>;
  delete(path: string): Promise<void>;
  /** The client and federation APIs, for example `/key/v2/server`. */
  getChat<Schema extends TSchema>(schema: Schema, path: string, options?: Options): Promise<Static<Schema>>;
  /** A raster image by its `mxc://` address. */
  media(uri: string): Promise<Blob>;
};

export function connectedServer(
  host: ConsoleHost,
  reachability: ReachabilityStore,
  connection: Connection,
): Server {
  const { administration, chat } = dialects[connection.dialect];

  async function request(request: HostRequest, options: Options = {}): Promise<IncomingReply> {
    const reply = await reachability.watch(connection.id, () =>
      host.request(connection.id, request, options.signal),
    );
    if (reply.status === 401) {
      throw new ConnectionFailure('bad_credentials', 'Your session has ended. Sign in again to go on.');
    }
    if (reply.status === 403) {
      throw new ConnectionFailure(
        'not_administrator',
        `${connection.userId} may not do this: the account is not an administrator (any more).`,
      );
    }
    if (reply.status === 404) {
      // A server without such an endpoint says 404 too, with another code.
      const errcode = Value.Check(ErrorBody, reply.body) ? reply.body.errcode : 'M_UNRECOGNIZED';
      if (errcode === 'M_NOT_FOUND') throw new NotFound();
      if (errcode === 'M_UNRECOGNIZED') throw new NoSuchEndpoint();
    }
    return reply;
  }

  return {
    id: connection.id,
    connection,
    get: async (schema, path, options) =>
      expectReply(schema, await request({ method: 'GET', path: `${administration}/admin${path}` }, options)),
    delete: async (path) => {
      expectReply(EmptyObject, await request({ method: 'DELETE', path: `${administration}/admin${path}` }));
    },
    getChat: async (schema, path, options) =>
      expectReply(schema, await request({ method: 'GET', path: chat + path }, options)),
    media: (uri) => host.media(connection.id, uri),
  };
}
