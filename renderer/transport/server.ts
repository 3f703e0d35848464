import type { Static, TSchema } from 'typebox';
import {
  type Connection,
  ConnectionFailure,
  expectReply,
  type IncomingReply,
  succeeded,
} from '../../shared/connection.ts';
import { dialects } from '../../shared/dialect.ts';
import { fits } from '../../shared/fits.ts';
import { masAdminPrefix } from '../../shared/mas.ts';
import type { Wanted } from '../../shared/media-policy.ts';
import type { PageRequest } from '../../shared/outgoing-request.ts';
import type { KeptValues } from '../persisted.ts';
import type { ConsoleHost, RequestOptions } from './host.ts';
import type { ReachabilityStore } from './reachability.ts';
import { NoSuchEndpoint, refusalOf } from './refusal.ts';

/** A body with the shape that it has to have: another one is a fault of the console's and never leaves it. */
export type Body = { shape: TSchema; value: unknown };

export const body = <Shape extends TSchema>(shape: Shape, value: Static<Shape>): Body => ({ shape, value });

type Get = <Schema extends TSchema>(
  schema: Schema,
  path: string,
  options?: Pick<RequestOptions, 'signal' | 'patient'>,
) => Promise<Static<Schema>>;

type Send = <Schema extends TSchema>(
  method: 'POST' | 'PUT' | 'DELETE',
  schema: Schema,
  path: string,
  options?: RequestOptions & {
    body?: Body;
    /** To send it twice comes to the same, reply and all; of a `PUT` that needs not be said. */
    repeatable?: true;
  },
) => Promise<Static<Schema>>;

/**
 * A connected server as data access sees it: paths without prefix in, checked replies out. Everything that
 * comes back as an error is thrown as a `ConnectionFailure` with a sentence.
 */
export type Server = {
  id: string;
  /** The console's values on this device; keys of this server's values contain its ID. */
  kept: KeptValues;
  /** Returns what `make` makes for this server, once per console. Its `close` is called when the session or console ends. */
  state<State>(make: (server: Server) => State): State;
  connection: Connection;
  /** The administration API: the shape of the reply, then the path, for example `/v1/event_reports`. */
  get: Get;
  /** A change there: `send('PUT', User, '/v2/users/@a:b', { body: body(UserChange, { admin: true }) })`. */
  send: Send;
  /** The client and federation APIs, for example `/key/v2/server`. */
  getChat: Get;
  sendChat: Send;
  /** MAS's admin API, for example `/users`, where the session may use it. */
  mas?: { get: Get; send: Send };
  /**
   * Whether the server has this path at all, whatever can be done there. It is asked with GET, which changes
   * nothing: who takes only POST says so, and who has no such path says that.
   */
  has(api: 'administration' | 'chat', path: string): Promise<boolean>;
  /** A raster image by its `mxc://` address. */
  media(wanted: Wanted): Promise<Blob>;
  /** Puts a picture there, as an upload of one's own, and gives its `mxc://` address. */
  upload(picture: Blob): Promise<string>;
};

export function connectedServer(
  host: ConsoleHost,
  reachability: ReachabilityStore,
  connection: Connection,
  own: Pick<Server, 'kept' | 'state'>,
): Server {
  const { administration, chat } = dialects[connection.dialect];

  function ask(request: PageRequest, options: RequestOptions = {}): Promise<IncomingReply> {
    const send = () => host.request(connection.id, request, options);
    const isForAll =
      request.path.startsWith(`${chat}/federation/`) || request.path.startsWith(`${chat}/key/`);
    // The authentication service is another server.
    const isElsewhere = request.path.startsWith(`${masAdminPrefix}/`);
    return options.patient || isElsewhere ? send() : reachability.watch(connection.id, send, isForAll);
  }

  async function request(request: PageRequest, options?: RequestOptions): Promise<IncomingReply> {
    const reply = await ask(request, options);
    if (!succeeded(reply)) throw refusalOf(reply, connection);
    return reply;
  }

  const getUnder =
    (prefix: string): Get =>
    async (schema, path, options) =>
      expectReply(schema, await request({ method: 'GET', path: prefix + path }, options));

  const sendUnder =
    (prefix: string): Send =>
    async (method, schema, path, { body, repeatable: _, ...options } = {}) => {
      if (body && !fits(body.shape, body.value)) {
        throw new ConnectionFailure('refused', /*i18n*/ 'Invalid console request. Please report it.');
      }
      const asked = { method, path: prefix + path, ...(body && { body: body.value }) };
      return expectReply(schema, await request(asked, options));
    };

  return {
    ...own,
    id: connection.id,
    connection,
    get: getUnder(`${administration}/admin`),
    send: sendUnder(`${administration}/admin`),
    getChat: getUnder(chat),
    sendChat: sendUnder(chat),
    ...(connection.mas && { mas: { get: getUnder(masAdminPrefix), send: sendUnder(masAdminPrefix) } }),
    async has(api, path) {
      const prefix = api === 'chat' ? chat : `${administration}/admin`;
      const reply = await ask({ method: 'GET', path: prefix + path });
      if (reply.status === 401 || reply.status === 429 || reply.status >= 500) {
        throw refusalOf(reply, connection);
      }
      return !(reply.status === 404 && refusalOf(reply, connection) instanceof NoSuchEndpoint);
    },
    media: (wanted) => host.media(connection.id, wanted),
    upload: (picture) => host.upload(connection.id, picture),
  };
}
