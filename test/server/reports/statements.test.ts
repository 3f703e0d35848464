/** What filing a report asks of the database: its counters and places are not a statement each. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { until } from '../../until.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path, say } from '../rooms/client.ts';

let homeserver: TestHomeserver;
const lines: string[] = [];
beforeAll(async () => {
  homeserver = await startHomeserver({ log: (line) => lines.push(line) });
});
afterAll(() => homeserver.remove());

/** Sends a request and gives how many statements the log says that it took. */
async function statementsOf(request: () => Promise<{ status: number }>): Promise<number> {
  lines.length = 0;
  expect((await request()).status).toBe(200);
  return until(() => {
    const [, statements] = /db=\(statements=(\d+),/.exec(lines.join('\n')) ?? [];
    expect(statements).toBeDefined();
    return Number(statements);
  });
}

/** With the look at the event, and on PostgreSQL with whose token it is and what begins and ends a transaction. */
const most = inject('postgres') ? 9 : 5;

test('a report takes a few statements, whoever files it, and whoever is reported', async () => {
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  const room = await makeRoom(alice, { name: 'Reported', preset: 'public_chat' });
  expect((await bob.post(path('join', room), {})).status).toBe(200);
  for (const sender of [alice, bob]) {
    const event = await say(sender, room, 'rude');
    for (const reporter of [alice, bob]) {
      const file = () => reporter.post(path('rooms', room, 'report', event), { reason: 'rude', score: -50 });
      const counts = [await statementsOf(file), await statementsOf(file), await statementsOf(file)];
      // Now and then one of them sees to places in the lists, too.
      expect(Math.min(...counts)).toBeLessThanOrEqual(most);
    }
  }
});
