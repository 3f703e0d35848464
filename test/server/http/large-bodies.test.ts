/** However many large bodies are complete at the same moment, the loop is not held until all of them are read. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { longestTurn } from '../longest-turn.ts';
import { connectTo, parseReply } from '../raw-connection.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

/** Sends everything but the end of a request, and gives what sends that and waits for the reply's status. */
async function allButItsEnd(body: string): Promise<() => Promise<number>> {
  const connection = await connectTo(homeserver.url);
  const head = `POST /_matrix/client/v3/login HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`;
  await connection.write(head + body.slice(0, -1));
  return async () => {
    await connection.write(body.slice(-1));
    return parseReply(await connection.closed).status;
  };
}

test('twenty that end at once are read one after the other', async () => {
  const state = { type: 'm.room.member', state_key: '@someone:localhost', content: { membership: 'invite' } };
  const body = JSON.stringify({
    type: 'org.example.none',
    state: Array.from({ length: 9_000 }, () => state),
  });
  const send = async () => {
    const ends = await Promise.all(Array.from({ length: 20 }, () => allButItsEnd(body)));
    // Meanwhile the server reads what has come so far, some of it in each turn.
    for (let turn = 0; turn < 40; turn++) await call(homeserver.url, 'GET', '/health');
    const statuses: number[] = [];
    const turn = await longestTurn(async () => {
      statuses.push(...(await Promise.all(ends.map((end) => end()))));
    });
    return { statuses, turn };
  };
  // The first ones pay for what is compiled.
  await send();
  const { statuses, turn } = await send();
  expect(statuses).toEqual(Array.from({ length: 20 }, () => 400));
  expect(turn).toBeLessThan(50);
});
