import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { ConfigurationError } from '../config/configuration-error.ts';
import type { Listener, TlsConfig } from '../config/listeners.ts';
import { readNamed } from '../config/named-file.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { refuseBeforeRouting, refuseWithoutHost } from './before-routing.ts';
import { type Connections, followConnections } from './connections.ts';

/**
 * Reads a certificate, with those that vouch for it, and its private key.
 *
 * @throws ConfigurationError where they can't be read or don't fit each other
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
  const content = await readNamed(path).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(setting, `can't read ${path} (${error.code})`, 'check the path');
  });
  return content.toString();
}

/** Where the server can be reached: every address of every listener, and how it leaves them all. */

/** A body has no time limit but a smallest rate: an upload may take as long as it comes steadily. */
const limits = {
  headersTimeout: 15_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 72_000,
  // Looked for before routing, where the refusal gets a body like every other.
  requireHostHeader: false,
};

type Listening = {
  /** Where it listens, such as `http://127.0.0.1:8008`, in the order of the configuration. */
  urls: string[];
  /** Takes nothing new, lets what runs end for a while, and closes every connection. */
  close(): Promise<void>;
};

/**
 * Listens on every address of every listener, or on none of them.
 *
 * @param sharesPorts whether other processes of this server listen there, too: the system shares new connections out
 * @throws ConfigurationError that names the setting with which that can't be done
 */
export async function listen(
  listeners: readonly Listener[],
  handler: RequestListener,
  { clock, log, sharesPorts = false }: { clock: Clock; log: Log; sharesPorts?: boolean | undefined },
): Promise<Listening> {
  const opened: Connections[] = [];
  const close = async () => {
    await Promise.all(opened.map((connections) => connections.close()));
  };
  const urls: string[] = [];
  try {
    for (const listener of listeners) {
      const makeServer = await serverMaker(listener);
      let { port } = listener;
      for (const host of listener.bindAddresses) {
        const server = makeServer();
        opened.push(followConnections(server, clock));
        refuseBeforeRouting(server);
        server.on('request', (request, response) => {
          if (!listener.trustsProxy) forgetForwarded(request);
          if (!refuseWithoutHost(request, response)) handler(request, response);
        });
        // A free port is found once: all addresses of a listener have the same.
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

/** Gives what makes a listener's servers. What speaks TLS is loaded only where that is spoken: it takes a while. */
async function serverMaker({ tls }: Listener): Promise<() => Server> {
  if (!tls) return () => createServer(limits);
  const [https, files] = await Promise.all([import('node:https'), readTlsFiles(tls)]);
  return () => https.createServer({ ...limits, ...files, handshakeTimeout: limits.headersTimeout });
}

/** Where this machine itself reaches an address that it listens on. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Gives the port that it has. */
function bind(
  server: Server,
  listener: Listener,
  at: { host: string; port: number; reusePort: boolean },
): Promise<number> {
  // Where both are asked for, the address for everything in IPv6 must not take that of IPv4, too.
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

/** Without a proxy in front, whatever says who calls was written by the caller. */
function forgetForwarded({ headers }: IncomingMessage): void {
  for (const name of forwarded) {
    // To delete from an object makes it slower to read for good.
    if (headers[name] !== undefined) delete headers[name];
  }
}

const forwarded = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'];
