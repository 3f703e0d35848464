/** Worker thread that generates load: requests over 16 connections, or one reader of the inspector's stream. */
import { Agent, get } from 'node:http';
import { parentPort } from 'node:worker_threads';

type Wanted = { url: string; token: string; requests: number } | { watch: string; token: string };

const connections = 16;
const agent = new Agent({ keepAlive: true, maxSockets: connections });

const ask = (url: string, token: string) =>
  new Promise<void>((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (reply) => {
      reply.resume().on('end', resolve);
      if (reply.statusCode !== 200) reject(new Error(`status ${reply.statusCode}`));
    }).on('error', reject);
  });

parentPort?.on('message', async (wanted: Wanted) => {
  if ('watch' in wanted) {
    get(wanted.watch, { headers: { authorization: `Bearer ${wanted.token}` } }, (reply) => {
      reply.once('data', () => parentPort?.postMessage('watching')).resume();
    });
    return;
  }
  let left = wanted.requests;
  const one = async () => {
    while (left-- > 0) await ask(wanted.url, wanted.token);
  };
  await Promise.all(Array.from({ length: connections }, one));
  parentPort?.postMessage('done');
});
