/** Evidence that one console holds: others read it after the redaction, and one of them removes it when it's due. */
import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { holdEvidence } from '../../renderer/actions/evidence/hold-evidence.ts';
import { runRetention } from '../../renderer/actions/evidence/run-retention.ts';
import { evidenceArchive } from '../../renderer/features/reports/evidence/evidence-archive.ts';
import { gatherHeld, openEvidence } from '../../renderer/features/reports/evidence/gather-evidence.ts';
import { evidenceIn } from '../../shared/team/evidence.ts';
import { type Interfere, inRoom, teamConsoles } from './team-consoles.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });

const team = teamConsoles();
const as = (person: string) => team.homeserver.as(person);
const client = '/_chat/client/v3';
const path = encodeURIComponent;
const day = 86_400_000;

/** Returns the room of a reported message by alice, and its event's path. */
async function report(body: string) {
  const { room_id: roomId } = (await as('alice').post(`${client}/createRoom`, { preset: 'public_chat' }))
    .body;
  const room = `${client}/rooms/${path(roomId)}`;
  await as('carol').post(`${room}/join`, {});
  const content = { msgtype: 'm.text', body };
  const { event_id: eventId } = (await as('alice').put(`${room}/send/m.room.message/1`, content)).body;
  await as('carol').post(`${room}/report/${path(eventId)}`, { reason: 'Threat' });
  return { roomId, redact: `${room}/redact/${path(eventId)}/2` };
}

test('held evidence outlives the message, and one console removes it once it has expired', async () => {
  const deleted: string[] = [];
  const noting =
    (who: string): Interfere =>
    (request, forward) => {
      if (request.method === 'DELETE' && request.path.includes('/v1/media/')) deleted.push(who);
      return forward();
    };
  const ada = await team.create('admin', { interfere: noting('ada') });
  const bob = await team.join('bob', { interfere: noting('bob') });
  const { roomId, redact } = await report('I will find you');
  const result = await holdEvidence(ada.context, [{ id: 1 }]);
  expect(result).toEqual({ messages: 1, media: 0, missing: [] });
  await team.eventually(() => evidenceIn(bob.team).length).toBe(1);
  await as('alice').put(redact, {});
  await as('admin').delete(`/_service/admin/v2/rooms/${path(roomId)}`, { purge: true });

  const [held] = evidenceIn(bob.team);
  if (!held) throw new Error('Nothing is held');
  const { file, isUnchanged } = await openEvidence(bob.server, held);
  expect(isUnchanged).toBe(true);
  expect(file.events[0]?.report.event_json.content).toMatchObject({ body: 'I will find you' });
  const sources = { server: bob.server, log: bob.team.log };
  const archive = await evidenceArchive(await gatherHeld(sources, held), 'en');
  const text = Buffer.from(await archive.arrayBuffer()).toString('latin1');
  expect(text).toContain('I will find you');
  expect(text).toContain(held.file.sha256);
  expect(text).toContain('hold-evidence');

  const changed = { ...held, file: { ...held.file, sha256: '0'.repeat(64) } };
  expect((await openEvidence(bob.server, changed)).isUnchanged).toBe(false);

  const stops = [ada, bob].map(({ server }) => runRetention(server));
  ada.team.putDocument('evidence-retention', 'retention', { days: 1, media: false });
  const { key, ...content } = held;
  ada.team.putDocument('evidence', key, { ...content, at: Date.now() - 3 * day });
  await team.pass(30_000);
  // The case is open.
  expect(evidenceIn(bob.team)).toHaveLength(1);
  const mark = { reports: [1], state: 'reviewed', id: 'old', delay: 2 * day };
  const [room] = (await as('admin').get(`${client}/joined_rooms`)).body.joined_rooms;
  await as('admin').put(`${client}/rooms/${path(room)}/send/io.gatehouse.team.mark/old`, mark);
  await team.eventually(() => evidenceIn(bob.team)).toEqual([]);
  await team.eventually(() => evidenceIn(ada.team)).toEqual([]);
  await team.pass(60_000);
  expect(deleted).toHaveLength(1);
  await expect(openEvidence(bob.server, held)).rejects.toThrow();
  expect(ada.team.entries.filter((entry) => entry.type === 'action').map(({ action }) => action)).toEqual([
    'remove-evidence',
    'hold-evidence',
  ]);
  for (const stop of stops) stop();
});

test('expired evidence is kept while a report on its user is open', async () => {
  const ada = await team.create('admin');
  await report('I will find you');
  await holdEvidence(ada.context, [{ id: 1 }]);
  await as('carol').post(`${client}/users/${path(as('alice').userId)}/report`, { reason: 'Threats' });
  const [held] = evidenceIn(ada.team);
  if (!held) throw new Error('Nothing is held');
  const { key, ...content } = held;
  ada.team.putDocument('evidence-retention', 'retention', { days: 1, media: false });
  ada.team.putDocument('evidence', key, { ...content, at: Date.now() - 3 * day });
  /** Resolves a report as of two days ago. */
  const resolve = async (mark: { reports: number[] } | { user_reports: number[] }, id: string) => {
    const room = await inRoom(as('admin'), `send/io.gatehouse.team.mark/${id}`);
    await as('admin').put(room, { ...mark, state: 'reviewed', id, delay: 2 * day });
  };
  await resolve({ reports: [1] }, 'event');
  await team.eventually(() => ada.marks()).toEqual({ 1: 'reviewed' });
  const stop = runRetention(ada.server);
  await team.pass(11 * 60_000);
  expect(evidenceIn(ada.team)).toHaveLength(1);
  await resolve({ user_reports: [1] }, 'user');
  await team.eventually(() => ada.marks('user_report')).toEqual({ 1: 'reviewed' });
  await team.pass(11 * 60_000);
  await team.eventually(() => evidenceIn(ada.team)).toEqual([]);
  stop();
});
