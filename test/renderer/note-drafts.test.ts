/** Drafts of notes, stored on the device. */
import { beforeEach, expect, test, vi } from 'vitest';
import { openDeviceStorage } from '../../renderer/persisted.ts';
import { noteDrafts } from '../../renderer/team/note-drafts.ts';
import type { Server } from '../../renderer/transport/server.ts';
import type { Subject } from '../../shared/team/entries.ts';
import { memoryStorage } from './page-stub.ts';

let storage = memoryStorage();
beforeEach(() => {
  storage = memoryStorage();
  vi.stubGlobal('window', new EventTarget());
});

/** Opens the drafts as a page does; again is after a reload. */
const open = (id = 'a@x') =>
  noteDrafts({
    id,
    deviceStorage: openDeviceStorage({ local: storage, session: memoryStorage() }),
  } as Server);
const report = (id: number): Subject => ({ kind: 'report', id });

test('a draft is replaced by a later one on its subject, survives a reload, and ends with an empty text', () => {
  const drafts = open();
  drafts.keep(report(1), 'one');
  drafts.keep({ kind: 'user_report', id: 1 }, 'of a user');
  drafts.keep(report(1), 'two');
  expect(open().of(report(1))).toBe('two');
  expect(open().of({ kind: 'user_report', id: 1 })).toBe('of a user');
  drafts.keep(report(1), '');
  expect(open().of(report(1))).toBe('');
  expect(open('b@x').of({ kind: 'user_report', id: 1 })).toBe('');
  drafts.clear();
  expect(open().of({ kind: 'user_report', id: 1 })).toBe('');
});

test('the oldest ones of more than 50 drafts are dropped', () => {
  const drafts = open();
  for (let id = 1; id <= 51; id++) drafts.keep(report(id), `${id}`);
  expect([1, 2, 51].map((id) => open().of(report(id)))).toEqual(['', '2', '51']);
  // A changed draft is a recent one.
  drafts.keep(report(2), 'two');
  drafts.keep(report(52), '52');
  expect([2, 3, 52].map((id) => open().of(report(id)))).toEqual(['two', '', '52']);
});
