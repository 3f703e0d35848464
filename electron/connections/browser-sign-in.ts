/** Sign-in in the system browser with a redirect to a loopback port. RFC 8252, section 7.3. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import {
  type BrowserSignedIn,
  beginBrowserSignIn,
  finishBrowserSignIn,
  ssoState,
} from '../../shared/browser-sign-in.ts';
import { ConnectionFailure, type Send } from '../../shared/connection.ts';
import { gatehouseUri } from '../../shared/oauth.ts';
import { say } from '../words.ts';

/** In milliseconds. */
const longest = 10 * 60_000;

/**
 * Opens the server's sign-in page in the system browser and waits for the redirect.
 *
 * @param open opens a page in the browser
 * @throws ConnectionFailure as `finishBrowserSignIn`; `cancelled` if the signal is aborted or the redirect never
 * comes
 */
export async function signInInBrowser(
  send: Send,
  address: string,
  open: (url: string) => Promise<void>,
  signal: AbortSignal,
): Promise<BrowserSignedIn> {
  const answered = Promise.withResolvers<URLSearchParams>();
  let state: string | undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const isAnswer =
      request.method === 'GET' &&
      pathname === '/' &&
      state !== undefined &&
      [searchParams.get('state'), searchParams.get(ssoState)].includes(state);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-security-policy', "default-src 'none'");
    response.setHeader('referrer-policy', 'no-referrer');
    response.setHeader('connection', 'close');
    if (!isAnswer) return response.writeHead(404).end();
    response.end(
      `<!doctype html><title>Gatehouse</title><p>${say(/*i18n*/ 'Return to Gatehouse. You can close this page.')}</p>`,
    );
    answered.resolve(searchParams);
  });
  const stop = new AbortController();
  const waiting = AbortSignal.any([signal, stop.signal]);
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening', { signal });
    const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const client = { clientUri: gatehouseUri, redirectUri, isNative: true, responseMode: 'query' } as const;
    const { url, pending } = await beginBrowserSignIn(send, address, client);
    state = pending.state;
    await open(url);
    const answer = await Promise.race([
      answered.promise,
      after(longest, undefined, { signal: waiting, ref: false }).catch(() => undefined),
    ]);
    if (!answer) {
      throw new ConnectionFailure('cancelled', /*i18n*/ "Sign-in wasn't completed in the browser.");
    }
    return await finishBrowserSignIn(send, pending, answer, Date.now());
  } finally {
    stop.abort();
    server.close();
  }
}
