/** Several consoles and watchers with the same scheduled action. */
import { randomUUID } from 'node:crypto';
import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { runScheduled } from '../../renderer/actions/scheduled/run-scheduled.ts';
import { send } from '../../server/app/commands/send.ts';
import { openWatchedServer } from '../../server/app/watch/watched-server.ts';
import { createWatcher } from '../../server/app/watch/watcher.ts';
import type { Send } from '../../shared/connection.ts';
import { dialects } from '../../shared/dialect.ts';
import type { Scheduled } from '../../shared/team/scheduled.ts';
import { type Interfere, inRoom, roomEvents, teamConsoles } from './team-consoles.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });

const team = teamConsoles();
const as = (person: string) => team.homeserver.as(person);

/** Users who changed a suspension, in order. */
let changes: string[] = [];
const noteChange = (who: string, method: string, path: string) => {
  if (method === 'PUT' && path.includes('/v1/suspend/')) changes.push(who);
};
const noting =
  (who: string): Interfere =>
  (request, forward) => {
    noteChange(who, request.method, request.path);
    return forward();
  };

/** Starts a watcher with its own account. It watches until it's stopped. */
async function watch(name: string) {
  const { accessToken = '' } = await team.homeserver.add(name);
  await team.makeAdmin(name);
  await as('admin').post(await inRoom(as('admin'), 'invite'), { user_id: as(name).userId });
  const counted: Send = async (request) => {
    noteChange(name, request.method, request.url);
    team.underway++;
    try {
      return await send(request);
    } finally {
      team.underway--;
    }
  };
  const at = { baseUrl: team.homeserver.url, dialect: dialects.vendor };
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const lines: string[] = [];
  const watcher = createWatcher({
    server: await openWatchedServer(counted, at, accessToken),
    targets: [{ name: 'test', deliver: async () => {} }],
    readsTeam: true,
    everyMs: 600_000,
    isQuiet: () => false,
    leaseMs: 90_000,
    id: randomUUID(),
    now: Date.now,
    sleep,
    log: (line) => lines.push(line),
  });
  let isStopped = false;
  const watching = (async () => {
    while (!isStopped) {
      await watcher.round();
      await sleep(30_000);
    }
  })();
  return {
    lines,
    async stop() {
      isStopped = true;
      await team.pass(60_000);
      await watching;
    },
  };
}

test('two consoles and two watchers carry out each of three actions once', async () => {
  const ada = await team.create('admin', { interfere: noting('admin') });
  const bob = await team.join('bob', { interfere: noting('bob') });
  const watchers = [await watch('watch'), await watch('other')];
  const stops = [ada, bob].map(({ context }) => runScheduled(context));
  for (const { lines } of watchers) await team.eventually(() => lines).toContain('joined the team room');

  // Not Bob: once suspended, his console can't write to the team room.
  await team.homeserver.add('dave');
  const people = ['alice', 'carol', 'dave'];
  changes = [];
  for (const person of people) {
    const content: Scheduled = {
      action: 'suspend-user',
      subject: { kind: 'user', user_id: as(person).userId },
      at: Date.now() + 60_000,
      by: '@admin:localhost',
    };
    ada.team.putDocument('scheduled', person, content);
  }
  const outcomes = async () =>
    (await roomEvents(as('admin')))
      .filter(({ type }) => type.endsWith('.action'))
      .map(({ content }) => content.outcome);
  await team.eventually(outcomes).toEqual(['done', 'done', 'done']);
  // Every console and watcher has had time to repeat them.
  await team.pass(120_000);
  expect(await outcomes()).toHaveLength(3);
  expect(changes).toHaveLength(3);
  for (const person of people) {
    const { body } = await as('admin').get(`/_service/admin/v2/users/${as(person).userId}`);
    expect(body.suspended).toBe(true);
  }
  for (const stop of stops) stop();
  for (const watcher of watchers) await watcher.stop();
});

test("a console that suspends its own user isn't logged as a failure by the next one", async () => {
  const ada = await team.create('admin');
  const bob = await team.join('bob', { interfere: noting('bob') });
  const content: Scheduled = {
    action: 'suspend-user',
    subject: { kind: 'user', user_id: as('bob').userId },
    at: Date.now(),
    by: '@admin:localhost',
  };
  changes = [];
  const stopBob = runScheduled(bob.context);
  ada.team.putDocument('scheduled', 'own', content);
  await team.eventually(() => changes).toEqual(['bob']);
  const stopAda = runScheduled(ada.context);
  await team.pass(11 * 60_000);
  const logged = async () =>
    (await roomEvents(as('admin')))
      .filter(({ type }) => type.endsWith('.action'))
      .map(({ sender, content: { outcome, unchanged } }) => [sender, outcome, unchanged]);
  await team.eventually(logged).toEqual([['@admin:localhost', 'done', true]]);
  for (const stop of [stopAda, stopBob]) stop();
});

test('a claim that comes back too late blocks nobody for long', async () => {
  let claims = 0;
  const isClaim = (body: unknown) => JSON.stringify(body ?? '').includes('"claimed"');
  const slowly: Interfere = async (request, forward) => {
    noteChange('admin', request.method, request.path);
    if (isClaim(request.body) && claims++ === 0) await new Promise((resolve) => setTimeout(resolve, 20_000));
    return forward();
  };
  const ada = await team.create('admin', { interfere: slowly });
  const bob = await team.join('bob', { interfere: noting('bob') });
  const stopAda = runScheduled(ada.context);
  changes = [];
  await team.homeserver.add('dave');
  const due = Date.now();
  ada.team.putDocument('scheduled', 'slow', {
    action: 'suspend-user',
    subject: { kind: 'user', user_id: as('dave').userId },
    at: due,
    by: '@admin:localhost',
  } satisfies Scheduled);
  // Bob's console waits for the void claim.
  await team.eventually(() => bob.team.documents('scheduled').get('slow')?.content.claimed).toBeDefined();
  const stopBob = runScheduled(bob.context);
  await team.eventually(() => changes).toEqual(['admin']);
  expect(Date.now() - due).toBeLessThan(3 * 60_000);
  await team.pass(11 * 60_000);
  expect(changes).toEqual(['admin']);
  for (const stop of [stopAda, stopBob]) stop();
});
