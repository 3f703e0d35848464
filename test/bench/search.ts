/**
 * `node test/bench/search.ts [--messages 1000000]`: search latency on SQLite and PostgreSQL for rare and common
 * words. Prints a Markdown table.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openServices, type Services } from '../../server/app/services.ts';
import { createRoom } from '../../server/conversation/rooms/creation/create-room.ts';
import { ownChange } from '../../server/conversation/rooms/membership/change-membership.ts';
import { setMembership } from '../../server/conversation/rooms/membership/membership.ts';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { openSession } from '../../server/identity/sessions/sessions.ts';
import { loadConfig } from '../../server/platform/config/load.ts';
import { serve } from '../server/gatehouse.ts';
import { type Call, medianTimes } from './load.ts';
import { loadMessages } from './load-messages.ts';
import { startPostgres } from './set-ups.ts';

const { values } = parseArgs({ options: { messages: { type: 'string', default: '1000000' } } });
const messages = Number(values.messages);
const roomCount = 100;
const wordsOfMessage = 12;

/** A Zipf distribution: the n-th word occurs 1/n as often as the first. */
const vocabulary = Array.from({ length: 30_000 }, (_, index) => `${letters(index)}${letters(index * 31)}`);

/** Encodes a number as letters. */
function letters(number: number): string {
  const rest = Math.floor(number / 20);
  return (rest > 0 ? letters(rest) : '') + 'bcdfghjklmnpqrstvwxz'[number % 20] + 'aeiou'[number % 5];
}

/** A seeded random number generator: yields the same numbers between 0 and 1 in each run. */
function* numbers(): Generator<number, never> {
  for (let state = 1; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield state / 2_147_483_647;
  }
}

/** Creates a hundred rooms. One user is in all of them, another only in the first. */
async function load(services: Services) {
  const [everywhere, somewhere] = [
    await createUser(services, { localpart: 'everywhere' }),
    await createUser(services, { localpart: 'somewhere' }),
  ];
  const rooms: string[] = [];
  for (let index = 0; index < roomCount; index++) {
    rooms.push(await createRoom(services, everywhere, { preset: 'public_chat', name: `Room ${index}` }));
  }
  const [first = ''] = rooms;
  await setMembership(services, ownChange(first, somewhere, 'join'));
  const random = numbers();
  const someWord = () => vocabulary[Math.floor(vocabulary.length ** random.next().value) - 1];
  await loadMessages(services, { messages, rooms, sender: everywhere }, () =>
    Array.from({ length: wordsOfMessage }, someWord).join(' '),
  );
  const tokenOf = async (userId: string) => (await openSession(services, userId)).accessToken;
  return { everywhere: await tokenOf(everywhere), somewhere: await tokenOf(somewhere), first };
}

const search = (token: string, term: string, more: object = {}): Call => ({
  method: 'POST',
  path: '/_matrix/client/v3/search',
  token,
  body: { search_categories: { room_events: { search_term: term, order_by: 'recent', ...more } } },
});

/** Fills a new server. Returns its data directory and the search terms. */
async function fill(engine: string, database: object | undefined) {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const file = join(dataDir, 'homeserver.yaml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ ...(database && { database }) }));
  const services = await openServices(await loadConfig({ file, dataDir }));
  process.stderr.write(`${engine}: ${messages} messages are written\n`);
  const people = await load(services);
  await services.db.destroy();
  return { dataDir, file, ...people };
}

/** Returns latencies in milliseconds by search term. */
async function measure({
  dataDir,
  file,
  everywhere,
  somewhere,
  first,
}: Awaited<ReturnType<typeof fill>>): Promise<Map<string, number>> {
  const [most = '', second = '', often = '', rare = ''] = [0, 1, 100, 29_000].map((at) => vocabulary[at]);
  const searches: Record<string, Call> = {
    'Rare word': search(everywhere, rare),
    'Word without results': search(everywhere, 'yyyyyy'),
    'Word in 1 of 100 messages': search(everywhere, often),
    'Most common word': search(everywhere, most),
    'Most common word, by rank': search(everywhere, most, { order_by: 'rank' }),
    'Most common word, with context': search(everywhere, most, { event_context: {} }),
    'Most common word, in one room': search(everywhere, most, { filter: { rooms: [first] } }),
    'Most common word, as a member of one room': search(somewhere, most),
    'Two most common words': search(everywhere, `${most} ${second}`),
    'Two most common words, as a phrase': search(everywhere, `"${most} ${second}"`),
    'Most common word, without the second': search(everywhere, `${most} -${second}`),
    'Single letter': search(everywhere, 'b'),
  };
  const served = await serve('--config', file, '--data-dir', dataDir, '--no-console');
  const times = new Map<string, number>();
  try {
    for (const [name, call] of Object.entries(searches)) {
      const [time = 0] = await medianTimes([{ url: served.url, call }], 20);
      times.set(name, time);
    }
  } finally {
    await served.end('SIGTERM');
    await rm(dataDir, { recursive: true });
  }
  return times;
}

const postgres = await startPostgres();
// In parallel: PostgreSQL runs in its own processes.
const [sqliteServer, postgresServer] = await Promise.all([
  fill('SQLite', undefined),
  fill('PostgreSQL', await postgres.makeDatabase('search')),
]);
const onSqlite = await measure(sqliteServer);
const onPostgres = await measure(postgresServer);
await postgres.stop();
process.stdout.write(
  [
    '',
    '## Search',
    '',
    `Median, in ${messages.toLocaleString('en')} messages in ${roomCount} rooms.`,
    '',
    '|  | SQLite | PostgreSQL |',
    '| --- | ---: | ---: |',
    ...[...onSqlite].map(
      ([name, time]) => `| ${name} | ${time.toFixed(1)} ms | ${onPostgres.get(name)?.toFixed(1)} ms |`,
    ),
    '',
  ].join('\n'),
);
