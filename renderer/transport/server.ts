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
import type { MediaRequest } from '../../shared/media-policy.ts';
import type { PageRequest } from '../../shared/outgoing-request.ts';
import type { ApiRequest } from '../../shared/team/restrictions.ts';
import type { DeviceStorage } from '../persisted.ts';
import type { ConsoleHost, RequestOptions } from './host.ts';
import type { ReachabilityStore } from './reachability.ts';
import { NoSuchEndpoint, refusalOf } from './refusal.ts';

/** A request body, checked against its schema before it is sent. */
type Body = NonNullable<ApiRequest['body']>;

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
    /** Safe to retry. `PUT` always is. */
    idempotent?: true;
  },
) => Promise<Static<Schema>>;

/** Client for one connected server. Paths have no prefix, replies are validated, errors throw `ConnectionFailure`. */
export type Server = {
  id: string;
  /** The console's values on this device; keys of a server's values contain its ID. */
  deviceStorage: DeviceStorage;
  /**
   * Returns state that `make` creates for this server, once per console. Its `close` is called when the session or
   * console ends.
   */
  state<State>(make: (server: Server) => State): State;
  connection: Connection;
  /** Admin API: reply schema, then the path, such as `/v1/event_reports`. */
  get: Get;
  /** Admin API: `send('PUT', User, '/v2/users/@a:b', { body: body(UserChange, { admin: true }) })`. */
  send: Send;
  /** Client and federation APIs, such as `/key/v2/server`. */
  getChat: Get;
  sendChat: Send;
  /** MAS admin API, such as `/users`, if the session may use it. */
  mas?: { get: Get; send: Send };
  /** Returns whether the path exists, for any method. Probes with GET, which changes nothing. */
  has(api: 'administration' | 'chat', path: string): Promise<boolean>;
  /** Downloads a raster image by its mxc URI. */
  media(request: MediaRequest): Promise<Blob>;
  /** Uploads an image. Returns its mxc URI. */
  upload(picture: Blob): Promise<string>;
};

/** Sends a request that consoles share with other programs. */
export const sendRequest = <Schema extends TSchema>(
  server: Pick<Server, 'send' | 'sendChat'>,
  reply: Schema,
  { api, method, path, body }: ApiRequest,
): Promise<Static<Schema>> =>
  (api === 'chat' ? server.sendChat : server.send)(method, reply, path, body && { body });

export function connectedServer(
  host: ConsoleHost,
  reachability: ReachabilityStore,
  connection: Connection,
  own: Pick<Server, 'deviceStorage' | 'state'>,
): Server {
  const { administration, chat } = dialects[connection.dialect];

  function fetchReply(request: PageRequest, options: RequestOptions = {}): Promise<IncomingReply> {
    const send = () => host.request(connection.id, request, options);
    const isPublic =
      request.path.startsWith(`${chat}/federation/`) || request.path.startsWith(`${chat}/key/`);
    const isMas = request.path.startsWith(`${masAdminPrefix}/`);
    return options.patient || isMas ? send() : reachability.track(connection.id, send, isPublic);
  }

  async function request(request: PageRequest, options?: RequestOptions): Promise<IncomingReply> {
    const reply = await fetchReply(request, options);
    if (!succeeded(reply)) throw refusalOf(reply, connection);
    return reply;
  }

  const getUnder =
    (prefix: string): Get =>
    async (schema, path, options) =>
      expectReply(schema, await request({ method: 'GET', path: prefix + path }, options));

  const sendUnder =
    (prefix: string): Send =>
    async (method, schema, path, { body, idempotent: _, ...options } = {}) => {
      if (body && !fits(body.shape, body.value)) {
        throw new ConnectionFailure('refused', /*i18n*/ 'Invalid console request. Please report it.');
      }
      const pageRequest = { method, path: prefix + path, ...(body && { body: body.value }) };
      return expectReply(schema, await request(pageRequest, options));
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
      const reply = await fetchReply({ method: 'GET', path: prefix + path });
      if (reply.status === 401 || reply.status === 429 || reply.status >= 500) {
        throw refusalOf(reply, connection);
      }
      return !(reply.status === 404 && refusalOf(reply, connection) instanceof NoSuchEndpoint);
    },
    media: (request) => host.media(connection.id, request),
    upload: (picture) => host.upload(connection.id, picture),
  };
}
