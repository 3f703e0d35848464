/**
 * A fake homeserver: real HTTP on a free port, data in memory, and options to be slow or broken. It serves the built
 * console under `/console/` with the real CSP.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { EventReportDetail } from '../../shared/api/reports.ts';
import type { ScheduledTask } from '../../shared/api/tasks.ts';
import { contentSecurityPolicy } from '../../shared/content-security-policy.ts';

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Homeservers allow requests from any origin. */
const forEveryOrigin = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers': 'authorization, content-type',
};

/** This server has no optional features. */
export const fakeVersion = '1.161.0';

export type FakeHomeserver = Awaited<ReturnType<typeof startFakeHomeserver>>;

type LoginBody = { type: string; identifier?: { user: string }; password?: string; token?: string };
/** Advertised login types. Like the real server, it also accepts the unlisted token of a sign-in link. */
const loginTypes = ['m.login.password', 'org.vendor.login.jwt'];

type Answer = { status: number; body: unknown } | { bytes: Buffer; contentType: string };
const ok = (body: unknown): Answer => ({ status: 200, body });
const refuse = (status: number, errcode: string, error: string): Answer => ({
  status,
  body: { errcode, error },
});

/** Returns the state of a new server. */
const anew = () => ({
  reports: [] as EventReportDetail[],
  tasks: [] as ScheduledTask[],
  media: new Map<string, { bytes: Buffer; contentType: string }>(),
  keys: {} as Record<string, { key: string }>,
  /** Access tokens and their users. */
  tokens: new Map([['admin-token', '@admin:fake.example']]),
  loginTokens: new Set<string>(),
  /** All answered requests as `METHOD path?query`. */
  requests: [] as string[],
  /** Overrides the reply if it returns one. */
  interfere: (
    _method: string,
    _path: string,
    _query: URLSearchParams,
  ): Answer | Promise<Answer | undefined> | undefined => undefined,
});

export async function startFakeHomeserver(consoleDirectory: string) {
  const state = anew();

  function login({ type, identifier, password, token }: LoginBody): Answer {
    const user = identifier?.user.replace(/^@|:.*$/g, '') ?? 'admin';
    const valid =
      type === 'm.login.password'
        ? password === 'correct'
        : type === 'org.vendor.login.jwt'
          ? token === 'valid.jwt'
          : type === 'm.login.token' && state.loginTokens.delete(String(token));
    if (!valid) return refuse(403, 'M_FORBIDDEN', 'Invalid username or password');
    const accessToken = `${user}-token`;
    state.tokens.set(accessToken, `@${user}:fake.example`);
    return ok({
      access_token: accessToken,
      user_id: `@${user}:fake.example`,
      device_id: 'D',
      home_server: 'fake.example',
    });
  }

  function listReports(query: URLSearchParams): Answer {
    const has = (name: string, value: string | null) => !query.has(name) || query.get(name) === value;
    const matching = state.reports
      .filter(
        (report) =>
          has('room_id', report.room_id) &&
          has('user_id', report.user_id) &&
          has('event_sender_user_id', report.sender),
      )
      .sort((one, other) => (query.get('dir') === 'f' ? one.id - other.id : other.id - one.id));
    const from = Number(query.get('from') ?? 0);
    const end = from + Number(query.get('limit') ?? 100);
    return ok({
      event_reports: matching.slice(from, end).map(({ event_json: _, ...item }) => item),
      total: matching.length,
      ...(end < matching.length && { next_token: end }),
    });
  }

  function oneReport(method: string, id: number): Answer {
    const report = state.reports.find((candidate) => candidate.id === id);
    if (!report) return refuse(404, 'M_NOT_FOUND', 'Event report not found');
    if (method === 'GET') return ok(report);
    state.reports = state.reports.filter((candidate) => candidate !== report);
    return ok({});
  }

  function listTasks(query: URLSearchParams): Answer {
    const has = (name: string, value: string | null | undefined) =>
      !query.has(name) || query.get(name) === value;
    const before = Number(query.get('max_timestamp') ?? Number.POSITIVE_INFINITY);
    return ok({
      scheduled_tasks: state.tasks.filter(
        (task) =>
          has('action_name', task.action) &&
          has('resource_id', task.resource_id) &&
          task.timestamp_ms < before,
      ),
    });
  }

  function answer(method: string, url: URL, token: string | undefined, body: unknown): Answer {
    const { pathname: path, searchParams: query } = url;
    if (path === '/_chat/client/versions') return ok({ versions: ['v1.11'] });
    if (path === '/_chat/client/r0/login') {
      return method === 'GET'
        ? ok({ flows: loginTypes.map((type) => ({ type })) })
        : login(body as LoginBody);
    }
    if (path === '/_chat/key/v2/server') {
      return ok({
        server_name: 'fake.example',
        verify_keys: state.keys,
        old_verify_keys: {},
        signatures: {},
        valid_until_ts: Date.now() + 86_400_000,
      });
    }
    if (!/^\/_(service|chat)\//.test(path)) return refuse(404, 'M_UNRECOGNIZED', 'Unrecognized request');

    const user = state.tokens.get(token ?? '');
    if (!user) return refuse(401, 'M_UNKNOWN_TOKEN', 'Unrecognised access token');
    if (path === '/_chat/client/v3/account/whoami') return ok({ user_id: user, is_guest: false });
    if (path === '/_chat/client/v3/logout') {
      state.tokens.delete(token ?? '');
      return ok({});
    }
    const media = state.media.get(path.replace('/_chat/client/v1/media/download/', ''));
    if (media) return media;

    if (!user.startsWith('@admin')) return refuse(403, 'M_FORBIDDEN', 'You are not a server admin');
    if (path === '/_service/admin/v1/server_version') return ok({ server_version: fakeVersion });
    if (path === '/_service/admin/v1/event_reports') return listReports(query);
    if (path === '/_service/admin/v1/scheduled_tasks') return listTasks(query);
    const report = /^\/_service\/admin\/v1\/event_reports\/(\d+)$/.exec(path);
    if (report) return oneReport(method, Number(report[1]));
    return refuse(404, 'M_UNRECOGNIZED', 'Unrecognized request');
  }

  async function serveConsole(path: string, response: ServerResponse) {
    const file = extname(path) === '' ? 'index.html' : path.slice('/console/'.length);
    const content = await readFile(join(consoleDirectory, file)).catch(() => undefined);
    response.writeHead(content ? 200 : 404, {
      'content-type': contentTypes[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': contentSecurityPolicy('http: https:'),
      'cache-control': path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
    response.end(content);
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const method = request.method ?? 'GET';
    const url = new URL(request.url ?? '/', 'http://fake.example');
    if (url.pathname.startsWith('/console/')) return serveConsole(url.pathname, response);

    if (method === 'OPTIONS') {
      response.writeHead(200, forEveryOrigin);
      response.end();
      return;
    }

    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const token = request.headers.authorization?.replace('Bearer ', '');
    state.requests.push(`${method} ${url.pathname}${url.search}`);
    const reply =
      (await state.interfere(method, url.pathname, url.searchParams)) ??
      answer(method, url, token, text === '' ? undefined : JSON.parse(text));
    if ('bytes' in reply) {
      response.writeHead(200, { ...forEveryOrigin, 'content-type': reply.contentType });
      response.end(reply.bytes);
    } else {
      response.writeHead(reply.status, { ...forEveryOrigin, 'content-type': 'application/json' });
      response.end(JSON.stringify(reply.body));
    }
  }

  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The server doesn't keep the process alive.
  server.unref();
  const { port } = server.address() as AddressInfo;

  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    /** Resets the server at the same address. */
    reset() {
      server.closeAllConnections();
      Object.assign(state, anew());
    },
    isRunning: () => server.listening,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
