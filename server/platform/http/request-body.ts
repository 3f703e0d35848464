/**
 * A smallest rate for bodies: what comes slowly but steadily may take its time, and whoever stops sending
 * doesn't hold a connection for good.
 */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { readJson } from '../../../shared/read-json.ts';
import type { Clock } from '../core/clock.ts';
import { isDeeperThan } from '../core/json.ts';
import { badJson, notJson } from '../core/matrix-error.ts';
import { refuseOn } from './before-routing.ts';
import type { App } from './routes.ts';

/** How often it is looked whether enough has come, in milliseconds. */
const interval = 20_000;
/** What has to come meanwhile, in bytes: 200 a second. */
const minimum = 4_000;

/** Ends every request of the app whose body comes more slowly, with 408 `M_UNKNOWN`. */
export function requireBodyRate(app: App, clock: Clock): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { 'content-length': length = 0, 'transfer-encoding': encoding } = request.headers;
    if (Number(length) > 0 || encoding !== undefined) {
      watch(request.raw, clock, () =>
        request.log.info(
          `${request.method} ${request.routeOptions.url ?? '?'}: closed the connection: request body too slow`,
        ),
      );
    }
    done();
  });
}

function watch(request: IncomingMessage, clock: Clock, say: () => void): void {
  const { socket } = request;
  let seen = socket.bytesRead;
  const look = () => {
    if (request.complete) return;
    const came = socket.bytesRead - seen;
    // What has come and was not read yet waits for this server, not for the client.
    if (came < minimum && request.readableLength === 0) {
      say();
      refuseOn(socket, { status: 408, errcode: 'M_UNKNOWN', error: 'The request body arrived too slowly' });
      return;
    }
    seen = socket.bytesRead;
    cancel = clock.after(interval, look);
  };
  let cancel = clock.after(interval, look);
  const end = () => {
    cancel();
    socket.off('close', end);
  };
  request.once('close', end);
  // One that had its reply before it had come as a whole doesn't close with its connection.
  socket.once('close', end);
}

/** Parses request bodies as JSON, whatever the content type says, like Synapse. */

/** Code that walks deeper JSON could run out of stack. */
const maximumDepth = 512;

/**
 * Returns undefined for an empty body.
 *
 * @throws MatrixError 400 `M_NOT_JSON`, `M_BAD_JSON`
 */
export function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw notJson('Content not JSON.');
  const text = body.toString();
  if (text.trim() === '') return undefined;
  if (isDeeperThan(text, maximumDepth)) throw badJson('JSON is nested too deeply');
  const value = parse(text);
  if (escapesLoneSurrogate(text)) throw badJson('JSON contains invalid Unicode');
  return value;
}

function parse(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    throw notJson('Content not JSON.');
  }
}

/** Lone surrogates can't be stored or hashed. Searches the text, because walking many small values takes longer. */
function escapesLoneSurrogate(json: string): boolean {
  let at = json.indexOf('\\');
  while (at !== -1) {
    const half = surrogateAt(json, at);
    if (half === 'low') return true;
    if (half === 'high') {
      at += 6;
      if (surrogateAt(json, at) !== 'low') return true;
    }
    at = json.indexOf('\\', at + (half ? 6 : 2));
  }
  return false;
}

/** `\uD800` to `\uDBFF` are high surrogates, `\uDC00` to `\uDFFF` low ones. */
function surrogateAt(json: string, at: number): 'high' | 'low' | undefined {
  const isSurrogate =
    json[at] === '\\' && json[at + 1] === 'u' && (json[at + 2] === 'd' || json[at + 2] === 'D');
  if (!isSurrogate) return undefined;
  const kind = Number.parseInt(json[at + 3] ?? '', 16);
  if (kind < 8) return undefined;
  return kind < 12 ? 'high' : 'low';
}
