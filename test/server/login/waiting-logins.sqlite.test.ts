/** Password checks have a bounded queue, per network and in total. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { passwordCost } from '../../../server/identity/accounts/passwords.ts';
import { isMatrix } from '../../matrix.ts';
import { localListener, startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({ config: { listeners: [{ ...localListener, trustsProxy: true }] } });
  // Checking this password takes a second or more, so that all others, which are cheap, wait.
  const usual = { ...passwordCost };
  Object.assign(passwordCost, { N: 2 ** 15, r: 8, p: isMatrix ? 40 : 12 });
  await homeserver.as('admin').put('/_service/admin/v2/users/@slow:localhost', { password: 'a password' });
  Object.assign(passwordCost, usual);
}, 60_000);
afterAll(() => homeserver.remove());

type Answer = { status: number; body: object };

/** Sends a guess as a proxy would for a client at an address. */
async function logIn(user: string, address: string): Promise<Answer> {
  const response = await fetch(`${homeserver.url}/_chat/client/v3/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ type: 'm.login.password', user, password: 'a guess' }),
  });
  return { status: response.status, body: (await response.json()) as object };
}

/** Takes all password workers, on any machine. */
const slowOnes = () => [logIn('slow', '192.0.2.1'), logIn('slow', '192.0.2.2')];

const tooMany = {
  status: 429,
  body: {
    errcode: 'M_LIMIT_EXCEEDED',
    error: 'Too many logins at the moment. Try again soon.',
    retry_after_ms: 5_000,
  },
};

/** Returns the number of queued guesses. Checks that all others were refused with a retry delay. */
async function waitedOf(guesses: Promise<Answer>[]): Promise<number> {
  const answers = await Promise.all(guesses);
  const refused = answers.filter(({ status }) => status !== 403);
  for (const answer of refused) expect(answer).toEqual(tooMany);
  return answers.length - refused.length;
}

test("the queue accepts a hundred logins of one network, and others' beside them", async () => {
  const slow = slowOnes();
  const guesses = Array.from({ length: 120 }, (_, number) => logIn(`somebody-${number}`, '203.0.113.1'));
  const answers = waitedOf(guesses);
  expect((await logIn('alice', '198.51.100.7')).status).toBe(403);
  // A few arrived before the slow ones and were answered at once.
  expect(await answers).toBeGreaterThanOrEqual(100);
  expect(await answers).toBeLessThan(110);
  expect(await waitedOf(slow)).toBe(2);
});

test.runIf(isMatrix)('the queue accepts a thousand logins of all networks', async () => {
  const slow = slowOnes();
  const guesses = Array.from({ length: 1_100 }, (_, number) =>
    logIn(`somebody-${number}`, `203.0.113.${1 + (number % 50)}`),
  );
  const waited = await waitedOf(guesses);
  // One of the slow ones may be queued with them.
  expect(waited).toBeGreaterThanOrEqual(999);
  expect(waited).toBeLessThan(1_050);
  expect(await waitedOf(slow)).toBe(2);
});
