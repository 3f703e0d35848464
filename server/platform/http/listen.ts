/** Listens on the configured addresses, and shuts down gracefully. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { ConfigurationError } from '../config/configuration-error.ts';
import type { Listener, TlsConfig } from '../config/listeners.ts';
import { readRegularFile } from '../config/named-file.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { refuseBeforeRouting, refuseWithoutHost } from './before-routing.ts';

/**
 * Reads a certificate chain and its private key.
 *
 * @throws ConfigurationError if they can't be read or don't match
 */
export async function readTlsFiles({ certificatePath, privateKeyPath }: TlsConfig): Promise<{
  cert: string;
  key: string;
}> {
  const cert = await read('tls_certificate_path', certificatePath);
  const key = await read('tls_private_key_path', privateKeyPath);
  try {
    createSecureContext({ cert, key });
  } catch {
    throw new ConfigurationError(
      'tls_private_key_path',
      `${certificatePath} and ${privateKeyPath} aren't a matching PEM certificate and key`,
      'check that they match and that the key has no passphrase',
    );
  }
  return { cert, key };
}

async function read(setting: string, path: string): Promise<string> {
  const content = await readRegularFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(setting, `can't read ${path} (${error.code})`, 'check the path');
  });
  return content.toString();
}

/** Maximum duration of receiving a request, in milliseconds: enough for a large upload over a slow connection. */
const requestTimeout = 30 * 60_000;
/** Grace period for running requests during shutdown, in milliseconds. */
const gracePeriod = 5_000;
/** More iterations of the event loop than the system queues connections; one is accepted in each. */
const drainIterations = 600;

const limits = {
  headersTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 72_000,
  // Checked before routing, where the refusal gets a JSON body.
  requireHostHeader: false,
};

type Listening = {
  /** Such as `http://127.0.0.1:8008`, in the order of the configuration. */
  urls: string[];
  /** Accepts no more connections, and closes each after its request, or after the grace period. */
  close(): Promise<void>;
};

/**
 * Listens on all addresses of all listeners, or on none.
 *
 * @param sharesPorts lets other processes of this server listen on the same ports; the system distributes connections
 * @throws ConfigurationError
 */
export async function listen(
  listeners: readonly Listener[],
  handler: RequestListener,
  {
    clock,
    log,
    sharesPorts = false,
    timeout = requestTimeout,
  }: { clock: Clock; log: Log; sharesPorts?: boolean | undefined; timeout?: number },
): Promise<Listening> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    await Promise.all(closers.map((closeServer) => closeServer()));
  };
  const urls: string[] = [];
  try {
    for (const listener of listeners) {
      const makeServer = await serverMaker(listener);
      let { port } = listener;
      for (const host of listener.bindAddresses) {
        const server = makeServer();
        server.requestTimeout = timeout;
        server.headersTimeout = Math.min(limits.headersTimeout, timeout);
        closers.push(gracefulClose(server, clock));
        refuseBeforeRouting(server);
        server.on('request', (request, response) => {
          if (!listener.trustsProxy) forgetForwarded(request);
          if (!refuseWithoutHost(request, response)) handler(request, response);
        });
        // All addresses of a listener share one port, including a free one.
        port = await bind(server, listener, { host, port, reusePort: sharesPorts });
        server.on('error', (err) => log.error({ err }, `listener ${host}:${port}: server error:`));
        urls.push(`${listener.tls ? 'https' : 'http'}://${hostInUrl(host)}:${port}`);
      }
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { urls, close };
}

/** Loads TLS only for a listener that uses it. */
async function serverMaker({ tls }: Listener): Promise<() => Server> {
  if (!tls) return () => createServer(limits);
  const [https, files] = await Promise.all([import('node:https'), readTlsFiles(tls)]);
  return () => https.createServer({ ...limits, ...files, handshakeTimeout: limits.headersTimeout });
}

/** Returns the host under which this computer reaches an address that it listens on. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Returns the port. */
function bind(
  server: Server,
  listener: Listener,
  at: { host: string; port: number; reusePort: boolean },
): Promise<number> {
  // With both wildcard addresses configured, `::` must not also take `0.0.0.0`.
  const ipv6Only = listener.bindAddresses.includes('0.0.0.0');
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, listener, at.host)));
    server.listen({ ...at, ipv6Only }, () => resolve((server.address() as AddressInfo).port));
  });
}

function explain(error: NodeJS.ErrnoException, { settings, port }: Listener, host: string): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigurationError(
        settings.port,
        `${host}:${port} is in use by another program`,
        'choose another port or 0 for a free one',
      );
    case 'EACCES':
      return new ConfigurationError(
        settings.port,
        `not permitted to listen on ${host}:${port}`,
        'choose a port from 1024 and use a reverse proxy',
      );
    case 'ENOTSUP':
      return new ConfigurationError(
        '--processes',
        "this system doesn't support several processes on one port",
        'remove the option, or start each process on a separate port behind a reverse proxy',
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
    case 'EAFNOSUPPORT':
      return new ConfigurationError(
        settings.bindAddresses,
        `no address ${host} on this computer (${error.code})`,
        'use an address of this computer, such as 127.0.0.1, or 0.0.0.0 for all',
      );
    default:
      return new ConfigurationError(
        settings.bindAddresses,
        `can't listen on ${host}:${port} (${error.code ?? error.message})`,
        'choose another address or port',
      );
  }
}

/** Without a reverse proxy these headers come from the client. */
function forgetForwarded({ headers }: IncomingMessage): void {
  for (const name of forwarded) delete headers[name];
}

const forwarded = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'];

/** Call before the server has connections. Returns a function that shuts it down. */
function gracefulClose(server: Server, clock: Clock): () => Promise<void> {
  // `closeAllConnections` would keep those that haven't finished their TLS handshake.
  const sockets = new Set<Socket>();
  const responses = new Set<ServerResponse>();
  let isClosing = false;
  let allSent = () => {};

  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (_request, response) => {
    responses.add(response);
    if (isClosing) closeAfter(response);
    response.once('close', () => {
      responses.delete(response);
      if (responses.size === 0) allSent();
    });
  });

  return async () => {
    isClosing = true;
    for (const response of responses) closeAfter(response);
    // Requests on connections that the system has accepted would be lost.
    for (let iteration = 0; iteration < drainIterations; iteration++) await nextIteration();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    if (responses.size > 0) {
      await new Promise<void>((resolve) => {
        const cancel = clock.after(gracePeriod, resolve);
        allSent = () => {
          cancel();
          resolve();
        };
      });
    }
    for (const socket of sockets) socket.destroy();
    await closed;
  };
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
