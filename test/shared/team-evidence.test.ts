import { expect, test } from 'vitest';
import type { JsonObject } from '../../shared/api/common.ts';
import { documentsOf, foldDocuments, type Version } from '../../shared/team/documents.ts';
import type { Body, LogEntry } from '../../shared/team/entries.ts';
import {
  evidenceIn,
  evidenceKind,
  type Held,
  keptUntil,
  mediaOf,
  type Retention,
  retentionIn,
} from '../../shared/team/evidence.ts';
import { teamLog } from '../../shared/team/log.ts';

const day = 86_400_000;
const held: Held = {
  case: { kind: 'user', user_id: '@mallory:h' },
  by: '@ben:h',
  at: 5,
  reports: [1, 2],
  events: ['$one', '$two'],
  media: 1,
  file: { uri: 'mxc://h/file', size: 2000 },
  copies: ['mxc://h/copy', 'mxc://elsewhere/copy'],
};
const monthly: Retention = { days: 30, media: false };

let ids = 0;
const logOf = (...entries: [at: number, Body][]) => {
  const log = teamLog(new Set(['@ada:h']));
  for (const [at, body] of entries) {
    const id = `$${ids++}`;
    log.add({ id, key: `@ada:h ${id}`, by: '@ada:h', at, body });
  }
  return { marksOf: log.marks, entries: (): Iterable<LogEntry> => log.entries() };
};
const mark = (state: 'open' | 'reviewed' | 'escalated', ...reports: number[]): Body => ({
  type: 'mark',
  reports,
  state,
});
const deletion = (...reports: number[]): Body => ({
  type: 'action',
  action: 'delete-report',
  subject: { kind: 'user', userId: '@mallory:h' },
  reports,
  outcome: 'done',
});

test.each<[string, number | string, [number, Body][]]>([
  [
    'counts from the last report that was resolved',
    20 + 30 * day,
    [
      [10, mark('reviewed', 1)],
      [20, mark('reviewed', 2)],
    ],
  ],
  ['is kept while a held report is open', 'open', [[10, mark('reviewed', 1)]]],
  [
    'is kept while one is escalated',
    'open',
    [
      [10, mark('reviewed', 1)],
      [20, mark('escalated', 2)],
    ],
  ],
  [
    'is kept once one is reopened',
    'open',
    [
      [10, mark('reviewed', 1, 2)],
      [20, mark('open', 2)],
    ],
  ],
  [
    'counts from the deletion of a report',
    30 + 30 * day,
    [
      [10, mark('reviewed', 1)],
      [30, deletion(2)],
    ],
  ],
])('evidence %s', (_, expected, entries) => {
  expect(keptUntil(held, [], logOf(...entries), monthly)).toBe(expected);
});

test('evidence is kept while another report of its case is open', () => {
  const log = logOf(
    [10, mark('reviewed', 1, 2)],
    [40, { ...mark('reviewed', 7), of: 'user_report' } as Body],
  );
  expect(keptUntil(held, [{ of: 'user_report', id: 8 }], log, monthly)).toBe('open');
  expect(keptUntil(held, [{ of: 'user_report', id: 7 }], log, monthly)).toBe(40 + 30 * day);
});

test('the retention of evidence held in a resolved case counts from the hold', () => {
  const log = logOf([10, mark('reviewed', 1, 2)]);
  expect(keptUntil({ ...held, at: 500 }, [], log, monthly)).toBe(500 + 30 * day);
});

test('without an end, evidence is kept until it is released', () => {
  const log = logOf([10, mark('reviewed', 1, 2)]);
  expect(keptUntil(held, [], log, { days: null, media: false })).toBe('released');
});

test('the default retention counts without a valid document', () => {
  const documents = (content: JsonObject) => new Map([['retention', { content, by: '@ada:h', at: 1 }]]);
  expect(retentionIn(new Map())).toEqual({ days: 90, media: false });
  expect(retentionIn(documents({ days: 0, media: true }))).toEqual({ days: 90, media: false });
  expect(retentionIn(documents({ days: null, media: true }))).toEqual({ days: null, media: true });
});

test('removed evidence stays removed despite later versions', () => {
  const version = (at: number, key: string, content: Held | null): Version => ({
    id: `$${at}`,
    by: '@ben:h',
    at,
    body: { type: 'document', kind: evidenceKind, key, content },
  });
  const versions = [
    version(1, 'a', held),
    version(2, 'b', { ...held, at: 9 }),
    version(3, 'a', null),
    version(4, 'a', { ...held, claimed: { by: '@ben:h', at: 4, page: 'p' } }),
  ];
  const team = {
    documents: (kind: string) => documentsOf(kind, foldDocuments(versions), []),
    documentVersions: () => versions,
  };
  expect(evidenceIn(team).map(({ key, at }) => [key, at])).toEqual([['b', 9]]);
});

test('only local media are deleted with evidence, the file last', () => {
  expect(mediaOf(held, 'h')).toEqual(['mxc://h/copy', 'mxc://h/file']);
});
