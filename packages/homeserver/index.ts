/** Starts temporary Matrix homeservers for tests. Runs on Node 20 or later and imports nothing else of this project. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type StartOptions = {
  /** Local parts of users to create, in addition to those of the seed. */
  users?: readonly string[];
  /** Users, rooms and messages to start with, or the path of a YAML file with them. */
  seed?: string | Record<string, unknown>;
  /** Whether users can log in with JSON Web Tokens; true by default. */
  jwt?: boolean;
  /** Settings of homeserver.yaml, or the path of a file with them. */
  config?: string | Record<string, unknown>;
  /** Domain part of user and room IDs; `localhost` by default. Only without a configuration file. */
  serverName?: string;
  /** A free port by default. */
  port?: number;
  /** How long the start may take, in milliseconds; 30 seconds by default. */
  timeout?: number;
};

export type Device = { deviceId: string; accessToken: string };
export type User = Device & {
  userId: string;
  /** All devices of the seed, with the first. */
  devices: Device[];
  /** Of users that were created with `createUser`. */
  password?: string;
};
export type Room = {
  roomId: string;
  alias?: string;
  /** Event IDs by the IDs in the seed. */
  events: Record<string, string>;
};

/** Selects requests; all of them if empty. */
export type RequestFilter = {
  /** End of the decoded path, such as `/sync` or `/send/*`; `*` matches any characters. */
  path?: string;
  method?: string;
  /** User ID or its local part. */
  user?: string;
};

export type SeenRequest = {
  /** Sequence number, from 1. */
  number: number;
  receivedTs: number;
  method: string;
  path: string;
  userId: string | null;
  /** JSON, or a description of other content; secrets are redacted. */
  body: unknown;
  /** 0 if the connection was closed without a reply. */
  status: number;
  reply: unknown;
  milliseconds: number;
};

/** At least one of `delay`, `status`, `retryAfter`, `malformed` and `cut`. */
export type FaultRule = RequestFilter & {
  /** Number of requests it applies to; unlimited by default. */
  times?: number;
  /** Matching requests to let through first. */
  skip?: number;
  /** In milliseconds. */
  delay?: number;
  status?: number;
  /** Body for `status`: JSON, or text. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Replies with 429 `M_LIMIT_EXCEEDED`; in milliseconds. */
  retryAfter?: number;
  /** Replies with truncated JSON. */
  malformed?: boolean;
  /** Closes the connection without a reply. */
  cut?: boolean;
  /** Handles the request as usual first; only its reply is replaced. */
  handle?: boolean;
};
export type Fault = {
  /** Returns the number of requests that the rule has been applied to. */
  applied(): Promise<number>;
  remove(): Promise<void>;
};

export type Snapshot = { name: string; restore(): Promise<void>; delete(): Promise<void> };

export type Homeserver = {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly serverName: string;
  readonly admin: { userId: string; accessToken: string };
  readonly users: Readonly<Record<string, User>>;
  readonly rooms: Readonly<Record<string, Room>>;
  /** MXC URIs by the names in the seed. */
  readonly media: Readonly<Record<string, string>>;
  /** Shared secret of `/register` for admin tools. */
  readonly registrationSharedSecret: string;
  /** Undefined without JWT login, or with another algorithm than HS256, HS384 and HS512. */
  readonly jwtSecret: string | undefined;
  /** Creates a user with a random password, and signs in. */
  createUser(name?: string, options?: { admin?: boolean }): Promise<User>;
  /** Adds users, rooms and messages, and returns their IDs. */
  seed(seed: Record<string, unknown>): Promise<Pick<Homeserver, 'users' | 'rooms' | 'media'>>;
  /** Returns a login token for a user, valid for an hour unless the claims say otherwise. */
  jwt(subjectOrClaims: string | Record<string, unknown>): Promise<string>;
  /** Returns the latest requests that the server received, oldest first. */
  requests(filter?: RequestFilter & { status?: number; after?: number }): Promise<SeenRequest[]>;
  /** Resolves to the first matching request, now or later. Rejects after 5 seconds by default. */
  waitForRequest(
    filter: RequestFilter & { status?: number; after?: number; timeout?: number },
  ): Promise<SeenRequest>;
  /** Deletes the recorded requests. */
  clearRequests(): Promise<void>;
  /** Advances the server's clock by milliseconds or a duration such as `90s`, `15m`, `1h` or `7d`. */
  advance(duration: number | string): Promise<void>;
  /** Sets the server's clock, and stops it if `frozen` is set. */
  setTime(time: Date | number, options?: { frozen?: boolean }): Promise<void>;
  /** Adds a fault for matching requests. */
  fail(rule: FaultRule): Promise<Fault>;
  clearFaults(): Promise<void>;
  /** Restores the state after the start. Users keep their tokens. */
  reset(): Promise<void>;
  /** Saves the current state. */
  snapshot(name?: string): Promise<Snapshot>;
  /** Calls the developer tools' API under `/_gatehouse/v1`. */
  api<Reply = unknown>(method: string, path: string, body?: unknown): Promise<Reply>;
  stop(): Promise<void>;
};

/**
 * Starts a homeserver in a child process, which ends with this process, even if that is killed. Its data is deleted
 * then.
 *
 * @throws Error with the server's output if it doesn't start
 */
export async function startHomeserver(options: StartOptions = {}): Promise<Homeserver> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-start-'));
  try {
    const args = [
      ...['serve', '--temporary', '--json', '--secrets', '--until-stdin-ends', '--no-console'],
      ...(await fileOption(folder, '--config', configOf(options))),
      ...(await fileOption(folder, '--seed', options.seed)),
      ...(options.users ?? []).flatMap((name) => ['--user', name]),
      ...(options.port === undefined ? [] : ['--port', `${options.port}`]),
    ];
    const child = spawn(node(), [bin, ...args], { stdio: 'pipe' });
    const facts = await readFacts(child, options.timeout ?? 30_000);
    return control(child, facts);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const bin = fileURLToPath(new URL('./bin/gatehouse.js', import.meta.url));

/** Returns the Node to run the server on: this one, or if it's too old, the one that the package installs. */
function node(): string {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const require = createRequire(bin);
  const { nodeProgram } = require('./node-program.cjs') as { nodeProgram(): string };
  return nodeProgram();
}

function configOf({ config, serverName, jwt }: StartOptions): StartOptions['config'] {
  const own = {
    ...(serverName !== undefined && { server_name: serverName }),
    ...(jwt === false && { jwt_config: { enabled: false } }),
  };
  if (typeof config !== 'string') return { ...config, ...own };
  if (Object.keys(own).length === 0) return config;
  throw new Error('Set serverName and jwt in the configuration file');
}

/** Writes JSON, which is also YAML. */
async function fileOption(
  folder: string,
  option: string,
  content: string | Record<string, unknown> | undefined,
): Promise<string[]> {
  if (typeof content === 'string') return [option, content];
  if (content === undefined || Object.keys(content).length === 0) return [];
  const file = join(folder, `${option.slice(2)}.yaml`);
  await writeFile(file, JSON.stringify(content), { mode: 0o600 });
  return [option, file];
}

type WireDevice = { device_id: string; access_token: string };
type World = {
  users?: Record<string, WireDevice & { user_id: string; devices: WireDevice[] }>;
  rooms?: Record<string, { room_id: string; alias?: string; events: Record<string, string> }>;
  media?: Record<string, string>;
};
type Facts = World & {
  url: string;
  server_name: string;
  user_id: string;
  access_token: string;
  registration_shared_secret: string;
  jwt_secret?: string;
};

/** Characters of the latest output to keep for an error message. */
const maxOutput = 16 * 1024;

async function readFacts(child: ChildProcess, timeout: number): Promise<Facts> {
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('The server has no output to read');
  let output = '';
  let isStarted = false;
  stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-maxOutput);
    // Errors, and warnings about the configuration.
    if (isStarted) process.stderr.write(text);
  });
  stdin.on('error', () => {});
  let fault: Error | undefined;
  child.on('error', (error) => {
    fault = error;
  });
  const timer = setTimeout(() => {
    fault = new Error(`The homeserver didn't start within ${timeout / 1000} seconds. ${output}`.trim());
    child.kill('SIGKILL');
  }, timeout);
  try {
    for await (const line of createInterface({ input: stdout })) {
      const facts = JSON.parse(line) as Facts;
      isStarted = true;
      if (output !== '') process.stderr.write(output);
      unrefChild(child);
      return facts;
    }
  } finally {
    clearTimeout(timer);
  }
  if (child.exitCode === null && child.signalCode === null && !fault) await once(child, 'exit');
  throw fault ?? new Error(output.trim() || 'The homeserver ended before it started');
}

/** Lets a test run exit without stopping the server, which then ends as well. */
function unrefChild(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    (stream as unknown as { unref?(): void } | null)?.unref?.();
  }
  child.stdout?.resume();
}

function control(child: ChildProcess, facts: Facts): Homeserver {
  const { url } = facts;

  async function api<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
    const response = await fetch(`${url}/_gatehouse/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${facts.access_token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const reply = (await response.json()) as { errcode?: string; error?: string };
    if (response.ok) return reply as Reply;
    throw new Error(`${method} ${path}: ${reply.errcode}: ${reply.error}`);
  }

  type RequestQuery = RequestFilter & { status?: number; after?: number; timeout?: number; limit?: number };
  async function listRequests(filter: RequestQuery): Promise<SeenRequest[]> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ limit: 1000, ...filter })) {
      if (value !== undefined) query.set(name, `${value}`);
    }
    const reply = await api<{ requests: WireRequest[] }>('GET', `/inspector/requests?${query}`);
    return reply.requests.map(asRequest);
  }

  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const ended = once(child, 'exit');
    child.stdin?.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(timer);
  }

  let snapshots = 0;
  return {
    url,
    serverName: facts.server_name,
    admin: { userId: facts.user_id, accessToken: facts.access_token },
    ...asWorld(facts),
    registrationSharedSecret: facts.registration_shared_secret,
    jwtSecret: facts.jwt_secret,
    async createUser(name, { admin = false } = {}) {
      const user = await api<WireDevice & { user_id: string; password: string }>('POST', '/users', {
        ...(name !== undefined && { name }),
        admin,
      });
      const device = asDevice(user);
      return { userId: user.user_id, ...device, devices: [device], password: user.password };
    },
    seed: async (seed) => asWorld(await api<World>('POST', '/seed', seed)),
    async jwt(given) {
      const settings = await api<JwtSettings>('GET', '/jwt');
      const { now_ts: now } = await api<{ now_ts: number }>('GET', '/clock');
      const iat = Math.floor(now / 1000);
      const claims = {
        iat,
        exp: iat + 3600,
        ...(settings.issuer !== undefined && { iss: settings.issuer }),
        ...(settings.audiences && { aud: settings.audiences[0] }),
        ...(typeof given === 'string' ? { [settings.subject_claim ?? 'sub']: given } : given),
      };
      return (await api<{ token: string }>('POST', '/jwt/mint', { claims })).token;
    },
    requests: (filter = {}) => listRequests(filter),
    async waitForRequest({ timeout = 5_000, ...filter }) {
      const [first] = await listRequests({ ...filter, timeout });
      if (first) return first;
      const seen = (await listRequests({}))
        .slice(-20)
        .map(({ method, path, status }) => `${method} ${path} ${status}`);
      throw new Error(
        `No request ${JSON.stringify(filter)} within ${timeout} ms. The last ones were:\n${seen.join('\n')}`,
      );
    },
    clearRequests: async () => void (await api('DELETE', '/inspector/requests')),
    advance: async (advance) => void (await api('POST', '/clock', { advance })),
    setTime: async (time, { frozen } = {}) =>
      void (await api('POST', '/clock', { now_ts: Number(time), ...(frozen !== undefined && { frozen }) })),
    async fail({ delay, retryAfter, ...rule }) {
      const { id } = await api<{ id: number }>('POST', '/faults', {
        ...rule,
        ...(delay !== undefined && { delay_ms: delay }),
        ...(retryAfter !== undefined && { retry_after_ms: retryAfter }),
      });
      return {
        async applied() {
          const { faults } = await api<{ faults: { id: number; applied: number }[] }>('GET', '/faults');
          return faults.find((fault) => fault.id === id)?.applied ?? 0;
        },
        remove: async () => void (await api('DELETE', `/faults/${id}`)),
      };
    },
    clearFaults: async () => void (await api('DELETE', '/faults')),
    reset: async () => void (await api('POST', '/reset')),
    async snapshot(name = `snapshot ${++snapshots}`) {
      const path = `/snapshots/${encodeURIComponent(name)}`;
      await api('PUT', path);
      return {
        name,
        restore: async () => void (await api('POST', `${path}/restore`)),
        delete: async () => void (await api('DELETE', path)),
      };
    },
    api,
    stop,
  };
}

type JwtSettings = { issuer?: string; audiences?: string[]; subject_claim?: string };

type WireRequest = {
  number: number;
  received_ts: number;
  method: string;
  path: string;
  request: { body: string | null };
  reply: { status: number; body: string | null };
  ms: number;
  user_id: string | null;
};

const asRequest = ({
  number,
  received_ts,
  method,
  path,
  request,
  reply,
  ms,
  user_id,
}: WireRequest): SeenRequest => ({
  number,
  receivedTs: received_ts,
  method,
  path,
  userId: user_id,
  body: parsed(request.body),
  status: reply.status,
  reply: parsed(reply.body),
  milliseconds: ms,
});

function parsed(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const asDevice = ({ device_id, access_token }: WireDevice): Device => ({
  deviceId: device_id,
  accessToken: access_token,
});

const asWorld = ({ users = {}, rooms = {}, media = {} }: World) => ({
  users: mapValues(users, (user) => ({
    userId: user.user_id,
    ...asDevice(user),
    devices: user.devices.map(asDevice),
  })),
  rooms: mapValues(rooms, ({ room_id, ...room }) => ({ roomId: room_id, ...room })),
  media,
});

const mapValues = <Before, After>(map: Record<string, Before>, change: (value: Before) => After) =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
