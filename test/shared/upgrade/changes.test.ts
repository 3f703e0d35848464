import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { Note } from '../../../shared/api/upgrade-plan.ts';
import { dialects } from '../../../shared/dialect.ts';
import { changes, newestRelease, oldestRelease, spellNote } from '../../../shared/upgrade/changes/changes.ts';
import { requirementRises } from '../../../shared/upgrade/requirements.ts';
import { defaultRules, rules } from '../../../shared/upgrade/rules/configuration-rules.ts';
import { compareVersions, formatVersion, parseVersion } from '../../../shared/upgrade/version.ts';

// All releases in the first column of "Changes by release", with the number of notes in each row. One of v1.53.0's
// notes is from "Limits".
const rows: [string, number][] = [
  ['1.32.0', 2],
  ['1.41.0', 2],
  ['1.42.0', 2],
  ['1.44.0', 1],
  ['1.47.0', 1],
  ['1.50.0', 2],
  ['1.53.0', 5],
  ['1.54.0', 1],
  ['1.55.0', 1],
  ['1.56.0', 2],
  ['1.57.0', 1],
  ['1.58.0', 1],
  ['1.59.0', 2],
  ['1.60.0', 2],
  ['1.61.0', 1],
  ['1.62.0', 1],
  ['1.66.0', 1],
  ['1.67.0', 2],
  ['1.68.0', 2],
  ['1.71.0', 3],
  ['1.72.0', 1],
  ['1.73.0', 1],
  ['1.74.0', 2],
  ['1.76.0', 2],
  ['1.78.0', 1],
  ['1.79.0', 2],
  ['1.80.0', 1],
  ['1.81.0', 2],
  ['1.84.0', 1],
  ['1.85.0', 1],
  ['1.86.0', 1],
  ['1.88.0', 2],
  ['1.89.0', 1],
  ['1.90.0', 1],
  ['1.93.0', 1],
  ['1.100.0', 1],
  ['1.106.0', 1],
  ['1.111.0', 1],
  ['1.119.0', 1],
  ['1.120.0', 2],
  ['1.122.0', 1],
  ['1.126.0', 1],
  ['1.130.0', 1],
  ['1.134.0', 1],
  ['1.135.0', 1],
  ['1.136.0', 3],
  ['1.139.0', 1],
  ['1.140.0', 1],
  ['1.141.0', 1],
  ['1.142.0', 2],
  ['1.143.0', 1],
  ['1.144.0', 2],
  ['1.146.0', 1],
  ['1.150.0', 3],
  ['1.152.0', 1],
  ['1.157.0', 1],
  ['1.158.0', 2],
  ['1.159.0', 1],
  ['1.161.0', 2],
];

test('every row of the interface is included, split into its notes', () => {
  const counted = Map.groupBy(changes, ({ note }) => note.release);
  expect([...counted].map(([release, notes]) => [release, notes.length])).toEqual(rows);
  expect([formatVersion(oldestRelease), formatVersion(newestRelease)]).toEqual(['1.32.0', '1.161.0']);
});

test('notes are complete, in order, and have unique IDs', () => {
  for (const [index, { note, release }] of changes.entries()) {
    expect(Value.Check(Note, note), note.id).toBe(true);
    expect(note.id).toMatch(/^\d+\.\d+\.\d+\/[a-z0-9-]+$/);
    expect(note.id.split('/')[0]).toBe(note.release);
    for (const text of [note.text, note.action]) expect(text, note.id).toMatch(/^\S.*\.$/);
    const next = changes[index + 1];
    if (next) expect(compareVersions(release, next.release)).toBeLessThanOrEqual(0);
  }
  expect(new Set(changes.map(({ note }) => note.id)).size).toBe(changes.length);
});

test.each(changes.filter(({ note }) => /^[\d.]+\/(python|postgresql|sqlite|rust|poetry)$/.test(note.id)))(
  '$note.id agrees with the requirements',
  ({ note }) => {
    const name = note.id.split('/')[1];
    const rise = requirementRises.find(
      (other) => other.name.toLowerCase() === name && formatVersion(other.since) === note.release,
    );
    expect(rise).toBeDefined();
    expect(note.text).toContain(rise?.minimum ?? 'a recent Rust compiler');
  },
);

test('the highest requirements are those of "Limits"', () => {
  const highest = (name: string) => {
    const rise = requirementRises.findLast((other) => other.name === name);
    return rise && [rise.minimum, formatVersion(rise.since)];
  };
  expect(highest('Python')).toEqual(['3.10', '1.142.0']);
  expect(highest('SQLite')).toEqual(['3.40.0', '1.142.0']);
  expect(highest('PostgreSQL')).toEqual(['14', '1.143.0']);
  expect(highest('Rust')).toEqual(['1.66.0', '1.106.0']);
  expect(highest('Poetry')).toEqual(['1.3.2', '1.76.0']);
});

test('requirements are in order, the highest of a name last', () => {
  const releases = requirementRises.map(({ since }) => since);
  expect(releases.toSorted(compareVersions)).toEqual(releases);
  for (const [index, { name, minimum }] of requirementRises.entries()) {
    const lower = requirementRises.slice(0, index).findLast((other) => other.name === name)?.minimum;
    if (lower === undefined || minimum === undefined) continue;
    const padded = (text: string) => parseVersion([...text.split('.'), '0', '0'].slice(0, 3).join('.'));
    expect(compareVersions(padded(lower), padded(minimum)), name).toBeLessThan(0);
  }
});

test('rules for configuration files name existing notes, oldest first', () => {
  const byId = new Map(changes.map(({ note, release }) => [note.id, release]));
  for (const { note } of [...rules, ...defaultRules]) expect(byId.has(note), note).toBe(true);
  for (const need of ['change', 'review'] as const) {
    const topics = Map.groupBy(
      rules.filter((rule) => rule.need === need),
      ({ setting, topic, note }) => `${setting} ${topic ?? note.split('/')[1]}`,
    );
    for (const [topic, ofTopic] of topics) {
      const releases = ofTopic.map(({ note }) => byId.get(note) ?? parseVersion('0.0.0'));
      expect(releases.toSorted(compareVersions), topic).toEqual(releases);
    }
  }
});

test('a dialect has its own paths and names', () => {
  const find = (id: string) => {
    const dated = changes.find(({ note }) => note.id === id);
    if (!dated) throw new Error(`there is no note ${id}`);
    return dated.note;
  };
  const media = spellNote(find('1.111.0/media-worker-endpoints'), dialects.matrix);
  expect(media.endpoints).toEqual(['^/_matrix/client/v1/media/.*$', '^/_matrix/federation/v1/media/.*$']);
  const login = spellNote(find('1.139.0/appservice-inhibit-login'), dialects.matrix);
  expect(login.text).toContain('IO.ELEMENT.MSC4190.M_APPSERVICE_LOGIN_UNSUPPORTED');
  const section = spellNote(find('1.136.0/external-authentication-service'), dialects.matrix);
  expect(section.settings).toContain('matrix_authentication_service.endpoint');

  for (const { note } of changes) {
    const spelled = JSON.stringify(spellNote(note, dialects.matrix));
    expect(spelled).not.toMatch(/_service\/|_chat\/|IO\.VENDOR/);
    expect(spellNote(note, dialects.vendor)).toEqual(note);
  }
});
