/** Requests of the main process over Chromium's network stack, which uses the system's proxy and certificates. */
import { createHash, X509Certificate } from 'node:crypto';
import { type Certificate, net, type Session, session } from 'electron';
import {
  ConnectionFailure,
  mostReplyBytes,
  type OutgoingRequest,
  type Send,
  usualTimeoutMs,
} from '../../shared/connection.ts';
import { parseJson, readAtMost, timedOut } from '../../shared/reply-content.ts';
import { isIssuedBy, readAuthorities } from './certificates.ts';

/** Like `net.fetch`, but in a separate in-memory session, because the page's session is sealed. */
export const fetchFromServer = (url: string, init?: RequestInit): ReturnType<typeof net.fetch> =>
  sessionFor(url).fetch(url, init);

type FindAuthority = (hostname: string) => string | undefined;
let authorityFor: FindAuthority = () => undefined;

/** Trusts a host's own certificate authority, given as PEM, for requests to and on behalf of that host only. */
export function trustAuthorities(find: FindAuthority): void {
  authorityFor = find;
}

const verifying = new WeakSet<Session>();

/** Chromium caches verified certificates, so each authority of each host has its own session. */
function sessionFor(url: string, homeserver = url): Session {
  const { hostname } = new URL(url);
  const pem = authorityFor(hostname) ?? authorityFor(new URL(homeserver).hostname);
  const name = pem === undefined ? '' : createHash('sha256').update(`${hostname}\n${pem}`).digest('hex');
  const found = session.fromPartition(`servers${name}`, { cache: false });
  if (pem !== undefined && !verifying.has(found)) verifyWith(found, hostname, pem);
  return found;
}

const authorityInvalid = -202;
const accept = 0;
const asChromiumSays = -3;

function verifyWith(own: Session, hostname: string, pem: string): void {
  const authorities = readAuthorities(pem);
  const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  own.setCertificateVerifyProc(({ hostname: requested, errorCode, certificate }, answer) => {
    const isTrusted =
      errorCode === authorityInvalid &&
      bare(requested) === bare(hostname) &&
      isIssuedBy(authorities, chainOf(certificate), hostname, new Date());
    answer(isTrusted ? accept : asChromiumSays);
  });
  verifying.add(own);
}

const longestChain = 10;

function chainOf(certificate: Certificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let next: Certificate | undefined = certificate;
  while (next && chain.length < longestChain) {
    chain.push(new X509Certificate(next.data));
    next = next.issuerCert === next ? undefined : next.issuerCert;
  }
  return chain;
}

/** Sends a request and returns the status and the JSON reply. Doesn't follow redirects. */
export const send: Send = async (request, signal) => {
  const { status, bytes } = await fetchBytes(request, mostReplyBytes, signal);
  const location = request.reportsRedirect && status === 302 ? await redirectTarget(request.url) : undefined;
  return { status, body: parseJson(bytes), ...(location !== undefined && { location }) };
};

/** Sends it again manually, because `fetch` hides the target of a redirect. */
function redirectTarget(url: string): Promise<string | undefined> {
  const options = {
    url,
    session: sessionFor(url),
    redirect: 'manual',
    credentials: 'omit',
    cache: 'no-store',
  };
  const request = net.request(options as Electron.ClientRequestConstructorOptions);
  return new Promise((resolve) => {
    request.once('redirect', (_status, _method, target) => resolve(target));
    request.once('response', () => request.abort());
    request.on('error', () => resolve(undefined));
    request.once('close', () => resolve(undefined));
    AbortSignal.timeout(usualTimeoutMs).addEventListener('abort', () => request.abort());
    request.end();
  });
}

/**
 * Sends a request and reads the whole reply.
 *
 * @throws ConnectionFailure `unreachable`, `timeout`, `cancelled`, or `refused` if the reply is too large
 */
export async function fetchBytes(
  request: OutgoingRequest,
  mostBytes: number,
  signal?: AbortSignal,
): Promise<{ status: number; bytes: Uint8Array<ArrayBuffer> }> {
  const { method, url, accessToken, body, content, homeserver, timeoutMs = usualTimeoutMs } = request;
  const deadline = AbortSignal.timeout(timeoutMs);
  const { host } = new URL(url);
  try {
    const response = await sessionFor(url, homeserver).fetch(url, {
      method,
      headers: {
        accept: '*/*',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(content === undefined ? {} : { 'content-type': content.type }),
        ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
      },
      body: content?.bytes ?? (body === undefined ? null : JSON.stringify(body)),
      // No cookies and no cache: a reply belongs to one user on one connection.
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    return { status: response.status, bytes: await readAtMost(response, mostBytes) };
  } catch (error) {
    if (error instanceof ConnectionFailure) throw error;
    if (signal?.aborted) throw new ConnectionFailure('cancelled', /*i18n*/ 'Request canceled');
    if (deadline.aborted) throw timedOut(request);
    if (/ERR_CERT_AUTHORITY_INVALID/.test(reason(error))) {
      throw new ConnectionFailure(
        'unreachable',
        /*i18n*/ "This computer doesn't trust the certificate of {host}. Choose its certificate authority under Advanced.",
        { host },
      );
    }
    if (isRedirect(error)) return { status: 302, bytes: new Uint8Array() };
    throw new ConnectionFailure(
      'unreachable',
      /*i18n*/ "Can't reach {host} ({reason}). Check the address and the server.",
      { host, reason: reason(error) },
    );
  }
}

/** Electron doesn't return redirect replies, it only reports that there was one. */
const isRedirect = (error: unknown) => /redirect/i.test(reason(error));

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
