/**
 * A small, hostile remote homeserver. It has one admin, records requests, and sends malicious replies on some paths.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

export type Received = { method: string; path: string; authorization: string | undefined; body: string };

type Reply = { status: number; json?: unknown; headers?: Record<string, string>; bytes?: Uint8Array };

/** The first bytes determine the type. Each key is also the media ID. */
export const mediaSamples: Record<string, { claimed: string; bytes: Uint8Array }> = {
  png: { claimed: 'image/png', bytes: Buffer.from('\x89PNG\r\n\x1a\n and the rest', 'latin1') },
  jpeg: { claimed: 'text/html', bytes: Buffer.from('\xff\xd8\xff\xe0 and the rest', 'latin1') },
  gif: { claimed: 'image/gif', bytes: Buffer.from('GIF89a and the rest', 'latin1') },
  webp: { claimed: 'image/webp', bytes: Buffer.from('RIFF\x10\0\0\0WEBPVP8 and the rest', 'latin1') },
  svg: { claimed: 'image/svg+xml', bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
  'svg-as-png': { claimed: 'image/png', bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
  html: { claimed: 'image/png', bytes: Buffer.from('<!doctype html><script>alert(1)</script>') },
  huge: {
    claimed: 'image/png',
    bytes: Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(26 * 1024 * 1024)]),
  },
};

export class RemoteHomeserver {
  readonly received: Received[] = [];
  /** IDs of its event reports, newest first. */
  reports: number[] = [];
  /** IDs of its user and room reports; undefined if the server has none. */
  filedReports: { user: number[]; room: number[] } | undefined;
  /** Server name in user IDs. A hostile server can choose any text. */
  name = 'remote';
  /** Single-use login tokens for the admin. */
  readonly loginTokens = new Set<string>();
  /** Answers every request with a server error. */
  isFailing = false;
  readonly password = 'correct horse battery staple';
  readonly #server: Server;
  readonly #scheme: 'http' | 'https';
  readonly #tokens = new Map<string, string>();
  #lastToken = 0;

  private constructor(tls: ServerOptions | undefined) {
    const answer = (request: IncomingMessage, response: ServerResponse) =>
      void this.#answer(request, response);
    this.#server = tls ? createSecureServer(tls, answer) : createServer(answer);
    this.#scheme = tls ? 'https' : 'http';
  }

  /** @param tls key and certificates, to serve HTTPS */
  static async start(tls?: ServerOptions): Promise<RemoteHomeserver> {
    const homeserver = new RemoteHomeserver(tls);
    await new Promise<void>((resolve) => homeserver.#server.listen(0, '127.0.0.1', resolve));
    return homeserver;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get tokens(): string[] {
    return [...this.#tokens.keys()];
  }

  endSessions(): void {
    this.#tokens.clear();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const content = Buffer.concat(chunks);
    const body = content.toString();
    const { method = '', url: path = '', headers } = request;
    this.received.push({ method, path, authorization: headers.authorization, body });
    const caller = this.#tokens.get(headers.authorization?.replace('Bearer ', '') ?? '');
    const wanted = `${method} ${path.split('?')[0]}`;
    const reply =
      caller && wanted === 'POST /_matrix/media/v3/upload'
        ? upload(headers['content-type'], content)
        : this.#reply(wanted, caller, body, headers.authorization);
    if (!reply) return;
    const { status, json, bytes, headers: extra } = reply;
    response.writeHead(status, { 'content-type': 'application/json', ...extra });
    response.end(bytes ?? JSON.stringify(json ?? {}));
  }

  /** Returns undefined for requests without a reply. */
  #reply(
    request: string,
    caller: string | undefined,
    body: string,
    authorization: string | undefined,
  ): Reply | undefined {
    if (this.isFailing) return failure(503, 'M_UNKNOWN', 'Out of order');
    if (request === 'GET /_matrix/client/versions') return { status: 200, json: { versions: ['v1.11'] } };
    if (/^GET \/_matrix\/client\/(r0|v3)\/login$/.test(request)) {
      const types = this.loginTokens.size > 0 ? ['m.login.sso', 'm.login.token'] : ['m.login.password'];
      return { status: 200, json: { flows: types.map((type) => ({ type })) } };
    }
    if (request === 'POST /_matrix/client/r0/login') return this.#logIn(JSON.parse(body));
    if (!request.includes('/_matrix/') && !request.includes('/_synapse/')) return notFound;
    if (!caller) return failure(401, 'M_UNKNOWN_TOKEN', 'Unknown token');
    const media = /^GET \/_matrix\/client\/v1\/media\/download\/[^/]+\/([^/]+)$/.exec(request)?.[1];
    if (media) return this.#media(media);
    switch (request) {
      case 'POST /_matrix/client/v3/logout':
        this.#tokens.delete(authorization?.replace('Bearer ', '') ?? '');
        return { status: 200 };
      case 'GET /_matrix/client/v3/account/whoami':
        return { status: 200, json: { user_id: caller, is_guest: false } };
      case 'GET /_synapse/admin/v1/event_reports':
        if (caller !== `@admin:${this.name}`)
          return failure(403, 'M_FORBIDDEN', 'You are not a server admin');
        return { status: 200, json: this.#reports() };
      case 'GET /_synapse/admin/v1/user_reports':
        return this.#filedReports('user');
      case 'GET /_synapse/admin/v1/room_reports':
        return this.#filedReports('room');
      case 'GET /_synapse/admin/v1/rooms':
        return { status: 302, headers: { location: `${this.url}/_synapse/admin/v1/event_reports` } };
      case 'GET /_synapse/admin/v1/whois/leak':
        return { status: 200, json: { access_token: 'another-token' } };
      case 'PUT /_synapse/admin/v1/suspend/never':
        return undefined;
      case 'POST /_synapse/admin/v1/deactivate/echo':
        return { status: 200, json: { body: JSON.parse(body) } };
      default:
        return notFound;
    }
  }

  #reports() {
    return { event_reports: this.reports.map((id) => ({ id })), total: this.reports.length };
  }

  #filedReports(kind: 'user' | 'room'): Reply {
    const ids = this.filedReports?.[kind];
    if (!ids) return notFound;
    return { status: 200, json: { [`${kind}_reports`]: ids.map((id) => ({ id })), total: ids.length } };
  }

  #logIn(login: { identifier?: { user: string }; password?: string; token?: string }): Reply {
    const { identifier = { user: 'admin' }, password, token: loginToken = '' } = login;
    if (password !== this.password && !this.loginTokens.delete(loginToken)) {
      return failure(403, 'M_FORBIDDEN', 'Invalid username or password');
    }
    const userId = `@${identifier.user}:${this.name}`;
    const token = `syt_remote_${++this.#lastToken}_very_secret`;
    this.#tokens.set(token, userId);
    return {
      status: 200,
      json: { access_token: token, device_id: 'D', home_server: 'remote', user_id: userId },
    };
  }

  #media(id: string): Reply {
    const sample = mediaSamples[id];
    if (!sample) return notFound;
    return { status: 200, headers: { 'content-type': sample.claimed }, bytes: sample.bytes };
  }
}

/** The media ID encodes the received upload. */
const upload = (type: string | undefined, content: Buffer): Reply => ({
  status: 200,
  json: { content_uri: `mxc://remote/${addressOf(type, content)}` },
});

export const addressOf = (type: string | undefined, content: Uint8Array) =>
  `${type?.replace('/', '-')}-${createHash('sha256').update(content).digest('hex')}`;

const failure = (status: number, errcode: string, error: string): Reply => ({
  status,
  json: { errcode, error },
});
const notFound = failure(404, 'M_UNRECOGNIZED', 'Unrecognized request');
