/** The context of a report, on the built-in homeserver. */
import { expect, test } from 'vitest';
import { consoleOnHomeserver } from './console-on-homeserver.ts';
import { makeScene } from './report-scene.ts';

const console = consoleOnHomeserver();

const scene = () =>
  makeScene({
    url: console.homeserver.url,
    dialect: 'matrix',
    adminToken: console.homeserver.as('admin').accessToken ?? '',
  });

/** Scrolls to a part. Repeats if content above moves it out of view. */
async function lookAt(name: string) {
  const isThere = async () => {
    await part(name).scrollIntoViewIfNeeded();
    return (await part(name).innerText()).trim() !== name;
  };
  await expect.poll(isThere).toBe(true);
}

const part = (name: string) =>
  console.page
    .getByRole('region', { name: 'Report', exact: true })
    .getByRole('region', { name, exact: true });

async function openReport(id: number) {
  await console.open(`/reports?report=${id}`, 'matrix');
  await console.page.getByRole('article', { name: 'Reported message' }).waitFor();
}

test('shows the surrounding conversation', async () => {
  const { page } = console;
  const { say, alice, bob, send, report } = await scene();
  for (let count = 1; count <= 30; count++) await say(alice, `Before ${count}.`);
  const insult = await say(bob, 'You are all idiots');
  await send(alice, 'm.reaction', {
    'm.relates_to': { rel_type: 'm.annotation', event_id: insult, key: 'no' },
  });
  for (let count = 1; count <= 8; count++) await say(alice, `After ${count}.`);
  await openReport(await report(alice, insult));

  const conversation = part('Context');
  await lookAt('Context');
  const marked = conversation.locator('[aria-current="true"]');
  await marked.getByText('You are all idiots').waitFor();
  expect(await marked.count()).toBe(1);
  const said = async () =>
    ((await conversation.getByRole('list').first().innerText()) as string).match(/(Before|After) \d+\./g);
  expect(await said()).toEqual([
    ...[25, 26, 27, 28, 29, 30].map((count) => `Before ${count}.`),
    ...[1, 2, 3, 4, 5].map((count) => `After ${count}.`),
  ]);
  await conversation.getByText('Reacted with “no” to the reported message').waitFor();

  await conversation.getByRole('button', { name: 'Later messages' }).click();
  await conversation.getByText('After 8.').waitFor();
  // The button works with the keyboard.
  await conversation.getByRole('button', { name: 'Earlier messages' }).focus();
  await page.keyboard.press('Enter');
  await conversation.getByText('Before 5.').waitFor();
  await conversation.getByRole('button', { name: 'Earlier messages' }).click();
  await conversation
    .getByText('Start of the room')
    .or(conversation.getByText('Created the room'))
    .first()
    .waitFor();
  expect(await said()).toEqual([
    ...Array.from({ length: 30 }, (_, index) => `Before ${index + 1}.`),
    ...Array.from({ length: 8 }, (_, index) => `After ${index + 1}.`),
  ]);
  expect(console.problems).toEqual([]);
});

test('shows later edits as a diff, with every version', async () => {
  const { page } = console;
  const { say, edit, alice, bob, report } = await scene();
  const insult = await say(bob, 'You are all idiots and I hate you');
  await edit(bob, insult, 'You are all fools and I hate you');
  // Edits by another user are ignored.
  await edit(alice, insult, 'I am Bob and I lie');
  const id = await report(alice, insult);
  await edit(bob, insult, 'You are all fools and I love you');
  await openReport(id);

  const since = part('Changes');
  await since.getByText('Edited after the report.').waitFor();
  expect(await since.locator('del').allInnerTexts()).toEqual(['hate']);
  expect(await since.locator('ins').allInnerTexts()).toEqual(['love']);
  await since.getByRole('button', { name: '2 edits' }).focus();
  await page.keyboard.press('Enter');
  const versions = async () =>
    (await since.getByRole('listitem').allInnerTexts()).map((version) => version.replace(/\s+/g, ' '));
  await expect
    .poll(versions)
    .toEqual([
      expect.stringMatching(/^Original .*You are all idiots and I hate you$/),
      expect.stringMatching(/^Edit 1 .*as reported You are all idiotsfools and I hate you$/),
      expect.stringMatching(/^Edit 2 .*current You are all fools and I hatelove you$/),
    ]);
});

test('a fully replaced text is one piece, not split at spaces', async () => {
  const { say, edit, alice, bob, report } = await scene();
  const offer = await say(bob, 'Buy coins now at my place');
  const id = await report(alice, offer);
  await edit(bob, offer, 'I wished everybody luck at my place');
  await openReport(id);
  const since = part('Changes');
  await expect.poll(() => since.locator('del').allInnerTexts()).toEqual(['Buy coins now']);
  expect(await since.locator('ins').allInnerTexts()).toEqual(['I wished everybody luck']);
});

test('shows earlier edits, and an edit that was itself reported', async () => {
  const { say, edit, alice, bob, report } = await scene();
  const first = await say(bob, 'Buy one');
  const second = await edit(bob, first, 'Buy two');
  await openReport(await report(alice, first));
  await part('Changes').getByText('Edited before the report.').waitFor();
  await openReport(await report(alice, second));
  await part('Changes').getByText('Edited before the report.').waitFor();
  expect(await part('Changes').locator('ins').allInnerTexts()).toEqual(['two']);
});

test('shows redactions: sender, reason, and the lost replies', async () => {
  const { say, redact, alice, bob, report } = await scene();
  const other = await say(bob, 'Something worse');
  const insult = await say(bob, 'You are all idiots');
  const id = await report(alice, insult);
  await redact(alice, other, 'Rule 1');
  await redact(alice, insult, 'Rule 3: be kind');
  await openReport(id);

  const since = part('Changes');
  await since.getByText('Redacted.').waitFor();
  await since.getByText('Rule 3: be kind').waitFor();
  await since.getByRole('button', { name: alice.userId }).waitFor();
  // The report keeps the original content.
  await console.page
    .getByRole('article', { name: 'Reported message' })
    .getByText('You are all idiots')
    .waitFor();

  const conversation = part('Context');
  await conversation.getByRole('button', { name: 'Redacted content' }).click();
  await conversation.getByText('Something worse').waitFor();
  // Redacted messages are marked; redaction events have no lines of their own.
  expect(await conversation.getByText(/^Removed (?!by |content)/).count()).toBe(0);
});

test('shows if nothing has changed', async () => {
  const { say, alice, bob, report } = await scene();
  await openReport(await report(alice, await say(bob, 'Hello')));
  await part('Changes').getByText('Not redacted or edited.').waitFor();
});

test('shows the sender', async () => {
  const { page, homeserver } = console;
  const { say, alice, bob, report, administer, roomName } = await scene();
  const picture = await fetch(`${homeserver.url}/_chat/media/v3/upload?filename=cat.png`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bob.token}`, 'content-type': 'image/png' },
    body: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  });
  expect(picture.status).toBe(200);
  await report(alice, await say(bob, 'One'));
  const id = await report(alice, await say(bob, 'Two'));
  await report(bob, await say(alice, 'Three'));
  await administer('PUT', `/v1/suspend/${encodeURIComponent(bob.userId)}`, { suspend: true });
  await openReport(id);

  const sender = part('Sender');
  await lookAt('Sender');
  await sender.getByText('Suspended').waitFor();
  await sender.getByRole('button', { name: bob.userId }).waitFor();
  await sender.getByText('Bob', { exact: true }).waitFor();
  await sender.getByRole('button', { name: '1 room' }).click();
  await sender.getByRole('button', { name: roomName }).waitFor();
  await sender.getByRole('button', { name: /^1 (device|connection|session)/ }).click();
  await sender.getByText('127.0.0.1').waitFor();
  await sender.getByRole('button', { name: '1 file' }).click();
  expect(console.requests.filter(({ path }) => path.includes('/media/download/'))).toEqual([]);
  await sender.getByRole('button', { name: 'Show image: cat.png' }).click();
  await sender.getByRole('img', { name: 'cat.png' }).waitFor();
  // Long lists use thumbnails.
  expect(console.requests.filter(({ path }) => path.includes('/media/thumbnail/'))).toHaveLength(1);
  expect(console.requests.filter(({ path }) => path.includes('/media/download/'))).toEqual([]);

  await sender.getByRole('button', { name: '1 by user' }).waitFor();
  await sender.getByRole('button', { name: '2 against user' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('sender')).toBe(bob.userId);
  expect(console.problems).toEqual([]);
});

test('shows the room', async () => {
  const { say, setState, administer, alice, bob, report, roomId, roomName } = await scene();
  const id = await report(alice, await say(bob, 'Hello'));
  await setState(alice, 'm.room.power_levels', { users: { [alice.userId]: 100, [bob.userId]: 25 }, ban: 30 });
  await administer('PUT', `/v1/rooms/${encodeURIComponent(roomId)}/block`, { block: true });
  await openReport(id);

  const room = part('Room');
  await lookAt('Room');
  await room.getByText('What this room is about').waitFor();
  await room.getByRole('button', { name: roomName }).waitFor();
  await room.getByText("Yes: local users can't join").waitFor();
  await room.getByText('Members only').waitFor();
  await room.getByText('banning 30').waitFor();
  await room.getByText('Includes the sender.').waitFor();
  const power = room.getByRole('listitem').filter({ hasText: bob.userId });
  expect(await power.innerText()).toMatch(/25$/);
  await room.getByRole('button', { name: '2 members, 2 local' }).click();
  await room.getByRole('button', { name: new RegExp(`^Member: .*${alice.userId}$`) }).waitFor();
  expect(console.problems).toEqual([]);
});

test('poll votes are counted: the last of each user, and none after the end', async () => {
  const { alice, bob, send, say, report, person, client, roomId } = await scene();
  const carol = await person('carol');
  await client('POST', `/rooms/${encodeURIComponent(roomId)}/join`, carol, {});
  const type = 'org.matrix.msc3381.poll';
  const poll = await send(bob, `${type}.start`, {
    [`${type}.start`]: {
      question: { 'org.matrix.msc1767.text': 'Whom do we throw out?' },
      answers: ['Alice', 'Carol'].map((name) => ({ id: name, 'org.matrix.msc1767.text': name })),
    },
  });
  const about = { 'm.relates_to': { rel_type: 'm.reference', event_id: poll } };
  const vote = (voter: typeof alice, answer: string) =>
    send(voter, `${type}.response`, { ...about, [`${type}.response`]: { answers: [answer] } });
  await vote(alice, 'Alice');
  await vote(bob, 'Carol');
  await say(alice, 'No, not me');
  await vote(alice, 'Carol');
  await vote(carol, 'Nobody of these');
  await send(bob, `${type}.end`, { ...about, [`${type}.end`]: {} });
  // A vote in the same millisecond would count.
  const ended = Date.now();
  await expect.poll(() => Date.now()).toBeGreaterThan(ended);
  await vote(carol, 'Alice');
  await openReport(await report(carol, poll));

  await lookAt('Votes');
  const votes = part('Votes');
  await votes.getByText('2 voters. Poll ended.').waitFor();
  const rows = await votes.getByRole('listitem').allInnerTexts();
  expect(rows.map((text) => text.replace(/\s+/g, ' ').trim())).toEqual(['Alice 0', 'Carol 2']);
});

test('shows events that relate to another together with it', async () => {
  const { alice, bob, say, send, report } = await scene();
  const message = await say(alice, 'I have lost my job');
  const reaction = await send(bob, 'm.reaction', {
    'm.relates_to': { rel_type: 'm.annotation', event_id: message, key: '🎉' },
  });
  const answer = await send(bob, 'm.room.message', {
    msgtype: 'm.text',
    body: 'Good',
    'm.relates_to': { 'm.in_reply_to': { event_id: message } },
  });
  const type = 'org.matrix.msc3381.poll';
  const poll = await send(alice, `${type}.start`, {
    [`${type}.start`]: {
      question: { 'org.matrix.msc1767.text': 'Whom do we throw out?' },
      answers: [{ id: 'c', 'org.matrix.msc1767.text': 'Carol' }],
    },
  });
  const vote = await send(bob, `${type}.response`, {
    'm.relates_to': { rel_type: 'm.reference', event_id: poll },
    [`${type}.response`]: { answers: ['c'] },
  });
  for (let said = 1; said <= 12; said++) await say(alice, `Later ${said}`);

  for (const [event, title, held, says] of [
    [reaction, 'Reaction to', 'I have lost my job', 'Reacted with “🎉” to “I have lost my job”'],
    [answer, 'In reply to', 'I have lost my job', 'Good'],
    [vote, 'Related event', 'Whom do we throw out?', 'Voted “Carol” in poll: “Whom do we throw out?”'],
  ] as const) {
    await openReport(await report(alice, event));
    await lookAt(title);
    await part(title).getByText(held).waitFor();
    await console.page.getByRole('article', { name: 'Reported message' }).getByText(says).waitFor();
  }
});
