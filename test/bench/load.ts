/** A load generator that measures the server and not itself: one connection, one request after the other. */
import { Agent, request } from 'node:http';

export type Call = { method?: 'GET' | 'POST' | 'PUT'; path: string; token?: string; body?: unknown };

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export function send(baseUrl: string, { method = 'GET', path, token, body }: Call): Promise<string> {
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
          if (incoming.statusCode === 200) resolve(text);
          else reject(new Error(`${method} ${path}: status ${incoming.statusCode}: ${text.slice(0, 200)}`));
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The median time of a request, in milliseconds, after a few that warm up. */
export async function medianTime(baseUrl: string, call: Call, rounds = 200): Promise<number> {
  for (let round = 0; round < 20; round++) await send(baseUrl, call);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await send(baseUrl, call);
    times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  return times[Math.floor(times.length / 2)] ?? 0;
}

/** How many requests a second the server answers with eight on their way at any time. */
export async function throughput(baseUrl: string, count: number, call: (index: number) => Call): Promise<number> {
  let next = 0;
  const start = performance.now();
  const worker = async () => {
    for (let index = next++; index < count; index = next++) await send(baseUrl, call(index));
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return (count * 1000) / (performance.now() - start);
}
