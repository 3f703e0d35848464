/** Matching of the team's rules, without a page. */
import { expect, test } from 'vitest';
import type { DocumentsOfKind } from '../../shared/team/documents.ts';
import {
  canSuspend,
  hitsOf,
  isAccurate,
  type Rule,
  type RuledReport,
  ruledSeverities,
  rulesIn,
} from '../../shared/team/rules.ts';
import {
  domainOf,
  encryptedFileHashes,
  fileHashOf,
  linesOf,
  matcherOf,
  matchersOf,
  wordListsIn,
} from '../../shared/team/word-lists.ts';

const hour = 3_600_000;

const report = (id: number, more: Partial<RuledReport> = {}): RuledReport => ({
  of: 'report',
  id,
  at: id * hour,
  by: '@ada:h',
  reason: '',
  subject: { kind: 'user', userId: '@mallory:h' },
  roomId: '!lobby:h',
  eventId: `$${id}`,
  ...more,
});
const documents = (contents: Record<string, object>): DocumentsOfKind =>
  new Map(Object.entries(contents).map(([key, content]) => [key, { content, by: '@ann:h', at: 1 }] as never));
const facts = {
  matchers: new Map([['spam', matcherOf({ words: ['buy now'], domains: ['evil.example'] })]]),
  isAccurate: (by: string) => by !== '@eve:h',
  createdAt: (userId: string) => (userId === '@mallory:h' ? 0 : undefined),
};
const idsOf = (when: Rule['when'], ...reports: RuledReport[]) =>
  hitsOf({ when }, reports, facts).map((hit) => hit.reports.map(({ id }) => id));

test('a number of reports by a number of reporters within a time is a hit, and the next one needs new reports', () => {
  const by = (id: number, who: string) => report(id, { by: `@${who}:h` });
  const when = { reports: 3, reporters: 2, hours: 3 };
  expect(idsOf(when, by(4, 'a'), by(1, 'a'), by(2, 'b'), by(3, 'a'), by(5, 'b'))).toEqual([[1, 2, 3]]);
  expect(idsOf(when, by(1, 'a'), by(2, 'a'), by(3, 'a'), by(4, 'b'))).toEqual([[2, 3, 4]]);
  // A report that is exactly as old as the time doesn't count.
  expect(idsOf(when, by(1, 'a'), by(2, 'b'), by(4, 'c'))).toEqual([]);
  expect(idsOf({ ...when, accurate: true }, by(1, 'eve'), by(2, 'b'), by(3, 'a'))).toEqual([]);
});

test('reports are counted by user, message or room', () => {
  const on = (id: number, userId: string, eventId: string) =>
    report(id, { subject: { kind: 'user', userId }, eventId });
  const reports = [on(1, '@a:h', '$x'), on(2, '@b:h', '$y'), on(3, '@a:h', '$z')];
  const onUser: RuledReport = { ...report(4), of: 'user_report', roomId: undefined, eventId: undefined };
  expect(idsOf({ reports: 2 }, ...reports, onUser)).toEqual([[1, 3]]);
  expect(idsOf({ reports: 2, same: 'event' }, ...reports, { ...onUser, id: 5 }, onUser)).toEqual([]);
  expect(idsOf({ reports: 3, same: 'room' }, ...reports, onUser)).toEqual([[1, 2, 3]]);
});

test('words are found in reasons and messages, links by their domain', () => {
  const texts = [
    ['He said: ＢＵＹ \n NOW!', 'https://www.evil.example/x', 'see evil.example.'],
    ['buy nowadays', 'notevil.example', 'evil.example.org', 'evil-example'],
  ] as const;
  for (const [index, found] of texts.entries())
    for (const text of found) {
      expect([text, idsOf({ words: ['spam'] }, report(1, { reason: text })).length]).toEqual([
        text,
        1 - index,
      ]);
      expect(idsOf({ words: ['spam'] }, report(1, { message: text })).length).toBe(1 - index);
    }
  // A deleted list matches nothing, and an empty list isn't a condition.
  expect(idsOf({ words: ['gone'] }, report(1, { reason: 'buy now' }))).toEqual([]);
  expect(matcherOf({ words: [], domains: [] })('buy now')).toBe(false);
  expect(matcherOf({ words: ['a.b(c'], domains: [] })('A.B(C')).toBe(true);
});

test('a listed file is found in any report on it, and the list is named', () => {
  const hash = 'ab'.repeat(32);
  const lists = documents({
    known: { name: 'Bad', words: [], domains: [], files: [hash] },
    broken: { name: 'Broken', words: [], domains: [], files: ['no hash'] },
  });
  expect(wordListsIn(lists).map(({ key }) => key)).toEqual([
    'self-harm',
    'minors',
    'threats',
    'known-files',
    'known',
  ]);
  const rules = rulesIn(
    documents({
      files: { name: 'Files', on: true, when: { words: ['spam', 'known'] }, effects: { severity: 'high' } },
    }),
  );
  const matchers = matchersOf(wordListsIn(lists));
  const ruled = (more: Partial<RuledReport>) =>
    ruledSeverities(rules, [report(1, more)], { ...facts, matchers }).get('user @mallory:h');
  expect(ruled({ files: ['cd'.repeat(32), hash] })).toMatchObject({ severity: 'high', fileList: 'known' });
  // A word is as urgent as the file.
  const urgent = documents({
    files: { name: 'Files', on: true, when: { words: ['known'] }, effects: { severity: 'urgent' } },
  });
  expect(
    ruledSeverities(rulesIn(urgent), [report(1, { reason: 'kill yourself', files: [hash] })], {
      ...facts,
      matchers,
    }).get('user @mallory:h'),
  ).toMatchObject({ fileList: 'known' });
  expect(ruled({ files: ['cd'.repeat(32)] })).toBeUndefined();
  expect(ruled({})).toBeUndefined();
});

test('hashes of encrypted files are read from hostile content', () => {
  const sha256 = Buffer.from('ab'.repeat(32), 'hex').toString('base64').replace('=', '');
  expect(encryptedFileHashes({ file: { hashes: { sha256 } } })).toEqual(['ab'.repeat(32)]);
  expect(encryptedFileHashes({ info: { thumbnail_file: { hashes: { sha256: `${sha256}=` } } } })).toEqual([
    'ab'.repeat(32),
  ]);
  for (const content of [
    undefined,
    null,
    'x',
    { file: null, info: 1 },
    { file: { hashes: { sha256: '%' } } },
  ])
    expect(encryptedFileHashes(content)).toEqual([]);
  expect([` ${'AB'.repeat(32)} `, 'ab', 'x'.repeat(64)].map(fileHashOf)).toEqual([
    'ab'.repeat(32),
    undefined,
    undefined,
  ]);
});

test('an account is new at the time of the report, and one of unknown age never is', () => {
  expect(idsOf({ account_days: 1 }, report(23))).toEqual([[23]]);
  expect(idsOf({ account_days: 1 }, report(24))).toEqual([]);
  expect(idsOf({ account_days: 1 }, report(1, { subject: { kind: 'user', userId: '@far:away' } }))).toEqual(
    [],
  );
});

test('only rules on new accounts suspend', () => {
  expect(canSuspend({ when: {}, effects: { suspend: true } })).toBe(false);
  expect(canSuspend({ when: { account_days: 91 }, effects: { suspend: true } })).toBe(false);
  expect(canSuspend({ when: { account_days: 7 }, effects: { suspend: true } })).toBe(true);
});

test('the greatest severity of the active rules counts', () => {
  const rules = rulesIn(
    documents({
      low: { name: 'Low', on: true, when: {}, effects: { severity: 'low' } },
      high: { name: 'High', on: true, when: { reports: 2 }, effects: { severity: 'high' } },
      off: { name: 'Off', on: false, when: {}, effects: { severity: 'urgent' } },
      broken: { name: 'Broken', on: true },
    }),
  );
  const other = report(3, { subject: { kind: 'room', roomId: '!lobby:h' } });
  const ruled = ruledSeverities(rules, [report(1), report(2), other], facts);
  expect([...ruled].map(([key, { rule }]) => [key, rule.name])).toEqual([
    ['user @mallory:h', 'High'],
    ['room !lobby:h', 'Low'],
  ]);
});

test('documents replace built-in rules and lists', () => {
  const none: DocumentsOfKind = new Map();
  const matchers = (lists: DocumentsOfKind) =>
    new Map(wordListsIn(lists).map((list) => [list.key, matcherOf(list)]));
  const severityOf = (reason: string, rules = none, lists = none) =>
    ruledSeverities(rulesIn(rules), [report(1, { reason })], { ...facts, matchers: matchers(lists) }).get(
      'user @mallory:h',
    )?.rule.key;
  expect(severityOf('He wrote “Kill yourself”.')).toBe('self-harm');
  expect(severityOf('A skyscraper, a therapeutic bombast')).toBeUndefined();
  const own = documents({ 'self-harm': { name: 'Crisis', words: ['bridge'], domains: [] } });
  expect(severityOf('Kill yourself', none, own)).toBeUndefined();
  expect(severityOf('on a bridge', none, own)).toBe('self-harm');
  const off = documents({
    'self-harm': {
      name: 'Self-harm',
      on: false,
      when: { words: ['self-harm'] },
      effects: { severity: 'urgent' },
    },
  });
  expect(severityOf('kill yourself', off)).toBeUndefined();
});

test('accurate reporters have decided reports, half of them upheld', () => {
  expect(isAccurate(undefined)).toBe(false);
  expect(isAccurate({ decided: 3, upheld: 1 })).toBe(false);
  expect(isAccurate({ decided: 2, upheld: 1 })).toBe(true);
});

test('pasted lists and URLs are parsed', () => {
  expect(linesOf(' a \n\nb b\na')).toEqual(['a', 'b b']);
  expect(
    ['Evil.example', 'https://www.evil.example/path?x', '*.evil.example', 'evil', 'a b.c'].map(domainOf),
  ).toEqual(['evil.example', 'evil.example', 'evil.example', undefined, undefined]);
});
