/** A load generator that measures the server and not itself: one connection, one request after the other. */
import { Agent, request } from 'node:http';

export type Call = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  token?: string;
  body?: unknown;
  /** What the reply has to have; 200 where it is left out. */
  status?: number;
};

/** How long a reply is waited for, in milliseconds: a bench ends, whatever the server does. */
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
 * The median time of each request, in milliseconds, after a few that warm up. They take turns, so that
 * whatever else the machine does falls on all of them alike.
 */
export async function medianTimes(calls: { url: string; call: Call }[], rounds = 200): Promise<number[]> {
  const times = calls.map((): number[] => []);
  for (let round = -20; round < rounds; round++) {
    for (const [index, { url, call }] of calls.entries()) {
      const start = performance.now();
      await send(url, call);
      if (round >= 0) times[index]?.push(performance.now() - start);
    }
  }
  return times.map((each) => each.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0);
}

/** How many requests a second the server answers with eight on their way at any time. */
export async function throughput(
  baseUrl: string,
  count: number,
  call: (index: number) => Call,
): Promise<number> {
  let next = 0;
  const start = performance.now();
  const worker = async () => {
    for (let index = next++; index < count; index = next++) await send(baseUrl, call(index));
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return (count * 1000) / (performance.now() - start);
}
