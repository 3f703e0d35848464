/** Filing a report takes few statements although it affects many totals. */
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

/** Sends a request and returns the number of statements in its log line. */
async function statementsOf(request: () => Promise<{ status: number }>): Promise<number> {
  lines.length = 0;
  expect((await request()).status).toBe(200);
  return until(() => {
    const [, statements] = /db=\(statements=(\d+),/.exec(lines.join('\n')) ?? [];
    expect(statements).toBeDefined();
    return Number(statements);
  });
}

/** Includes reading the event, and on PostgreSQL the access token, BEGIN and COMMIT. */
const most = inject('postgres') ? 9 : 5;

test('a report takes a few statements', async () => {
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  const room = await makeRoom(alice, { name: 'Reported', preset: 'public_chat' });
  expect((await bob.post(path('join', room), {})).status).toBe(200);
  for (const sender of [alice, bob]) {
    const event = await say(sender, room, 'rude');
    for (const reporter of [alice, bob]) {
      const file = () => reporter.post(path('rooms', room, 'report', event), { reason: 'rude', score: -50 });
      expect(await statementsOf(file)).toBeLessThanOrEqual(most);
    }
  }
});
