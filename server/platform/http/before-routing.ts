/** Refuses requests that never reach the app: malformed, too long or too slow. Body and CORS header are as for all errors. */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

type Refusal = { status: number; errcode: string; error: string };

const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, errcode: 'M_TOO_LARGE', error: 'Request header too large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    errcode: 'M_TOO_LARGE',
    error: 'Chunk extensions too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    errcode: 'M_UNKNOWN',
    error: 'Request timeout',
  },
};
const malformed: Refusal = { status: 400, errcode: 'M_UNKNOWN', error: 'Invalid HTTP request' };
const withoutHost: Refusal = { status: 400, errcode: 'M_UNKNOWN', error: 'Missing Host header' };
const unexpected: Refusal = {
  status: 417,
  errcode: 'M_UNKNOWN',
  error: 'Unsupported Expect header',
};
const tunnel: Refusal = { status: 405, errcode: 'M_UNRECOGNIZED', error: 'CONNECT is not supported' };

/** Adds a body to refusals that Node would send without one. */
export function refuseBeforeRouting(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuseOn(socket, refusals[error.code ?? ''] ?? malformed);
  });
  server.on('checkExpectation', (_request, response: ServerResponse) => refuseWith(response, unexpected));
  server.on('connect', (_request: IncomingMessage, socket) => {
    // Node no longer listens for errors of this socket; an unhandled one, such as a reset, would end the process.
    socket.on('error', () => socket.destroy());
    refuseOn(socket, tunnel);
  });
}

/** Refuses an HTTP/1.1 request without a Host header; returns true if it did. */
export function refuseWithoutHost(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return false;
  refuseWith(response, withoutHost);
  return true;
}

/** Sends a refusal while the request is still being read, and closes the connection. Only closes it if a reply has begun. */
function refuseOn(socket: Duplex & { _httpMessage?: ServerResponse | null }, refusal: Refusal): void {
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const body = bodyOf(refusal);
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      'Content-Type: application/json',
      'Access-Control-Allow-Origin: *',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  );
}

function refuseWith(response: ServerResponse, refusal: Refusal): void {
  const body = bodyOf(refusal);
  response
    .writeHead(refusal.status, {
      'Content-Type': 'application/json',
      'Access-Control-Allow-Origin': '*',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    })
    .end(body);
}

const bodyOf = ({ errcode, error }: Refusal) => JSON.stringify({ errcode, error });
