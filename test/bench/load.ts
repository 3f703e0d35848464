/** Load generators with little overhead of their own. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';

export type Call = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  token?: string;
  body?: unknown;
  /** Expected status; 200 by default. */
  status?: number;
};

/** Request timeout in milliseconds, so that a bench always finishes. */
const patience = 60_000;

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export function send(
  baseUrl: string,
  { method = 'GET', path, token, body, status = 200 }: Call,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      baseUrl + path,
      {
        method,
        agent,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk) => chunks.push(chunk));
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (incoming.statusCode === status) resolve(text);
          else reject(new Error(`${method} ${path}: status ${incoming.statusCode}: ${text.slice(0, 200)}`));
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.setTimeout(patience, () => outgoing.destroy(new Error(`${method} ${path}: no reply came`)));
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/**
 * Returns the median time of each request in milliseconds, after a few warm-up rounds. Requests take turns, so that
 * other load on the machine affects them equally.
 */
export async function medianTimes(
  calls: { url: string; call: Call | ((round: number) => Call) }[],
  rounds = 200,
): Promise<number[]> {
  const times = calls.map((): number[] => []);
  for (let round = -20; round < rounds; round++) {
    for (const [index, { url, call }] of calls.entries()) {
      const asked = typeof call === 'function' ? call(round + 20) : call;
      const start = performance.now();
      await send(url, asked);
      if (round >= 0) times[index]?.push(performance.now() - start);
    }
  }
  return times.map((each) => each.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0);
}

/** Number of concurrent requests. */
const atOnce = 8;

/** Returns requests per second with eight concurrent requests. */
export async function throughput(
  baseUrl: string,
  count: number,
  call: (index: number) => Call,
): Promise<number> {
  const lines = await Promise.all(Array.from({ length: atOnce }, () => openLine(baseUrl)));
  let next = 0;
  const start = performance.now();
  const worker = async (line: Line) => {
    for (let index = next++; index < count; index = next++) await line.ask(call(index));
  };
  try {
    await Promise.all(lines.map(worker));
    return (count * 1000) / (performance.now() - start);
  } finally {
    for (const line of lines) line.close();
  }
}

type Line = { ask(call: Call): Promise<void>; close(): void };

/**
 * Opens a connection that parses only the status and length of replies. Node's HTTP client takes as long per request
 * as the server, so it would distort the result.
 */
async function openLine(baseUrl: string): Promise<Line> {
  const { hostname, port, host } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  await once(socket, 'connect');
  let received = Buffer.alloc(0);
  let waiting: PromiseWithResolvers<Buffer> | undefined;
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    if (!isWhole(received)) return;
    const reply = received;
    received = Buffer.alloc(0);
    waiting?.resolve(reply);
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('the server closed the connection')));
  socket.setTimeout(patience, () => socket.destroy(new Error('no reply came')));
  return {
    async ask({ method = 'GET', path, token, body, status = 200 }) {
      const text = body === undefined ? '' : JSON.stringify(body);
      waiting = Promise.withResolvers();
      socket.write(
        [
          `${method} ${path} HTTP/1.1`,
          `host: ${host}`,
          ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
          ...(body !== undefined
            ? ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]
            : []),
          '',
          text,
        ].join('\r\n'),
      );
      const reply = await waiting.promise;
      if (Number(reply.toString('latin1', 9, 12)) !== status) {
        throw new Error(`${method} ${path}: ${reply.toString('utf8', 0, 300)}`);
      }
    },
    close: () => socket.destroy(),
  };
}

/** Returns true if the reply is complete: by content length, or by the last chunk. */
function isWhole(reply: Buffer): boolean {
  const head = reply.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /content-length: *(\d+)/i.exec(reply.toString('latin1', 0, head))?.[1];
  return length === undefined
    ? reply.subarray(-5).equals(lastPiece)
    : reply.length >= head + 4 + Number(length);
}

const lastPiece = Buffer.from('0\r\n\r\n');
