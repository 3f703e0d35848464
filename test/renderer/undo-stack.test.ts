import { beforeEach, expect, test, vi } from 'vitest';
import { undoStack } from '../../renderer/actions/undo-stack.ts';
import { openDeviceStorage } from '../../renderer/persisted.ts';

const stored = new Map<string, string>();
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
} as unknown as Storage;
beforeEach(() => {
  stored.clear();
  vi.stubGlobal('window', new EventTarget());
});

/** Opens the stack as a page does; another one is the same tab after a reload. */
const open = () =>
  undoStack({ id: 'admin@h', deviceStorage: openDeviceStorage({ local: storage, session: storage }) });

function undone() {
  const done: string[] = [];
  const undos = open();
  const offer = (name: string, begun?: Parameters<typeof undos.offer>[1]) =>
    undos.offer(() => void done.push(name), begun);
  const all = () => {
    while (undos.undoLatest());
    return done;
  };
  return { undos, offer, done, all };
}

test('the last started action is undone first, even if its undo was offered earlier', () => {
  const { offer, all } = undone();
  offer('mark', { at: 1 });
  offer('another mark', { at: 3 });
  offer('slow action', { at: 2 });
  offer('action at the same moment', { at: 3 });
  expect(all()).toEqual(['action at the same moment', 'another mark', 'slow action', 'mark']);
});

test('an undo replaces the one with the same key in place', () => {
  const { undos, offer, all } = undone();
  offer('begun', { at: 1, key: 'job' });
  offer('mark', { at: 2 });
  offer('done', { at: 1, key: 'job' });
  expect(undos.has('job')).toBe(true);
  expect(all()).toEqual(['mark', 'done']);
  expect(undos.has('job')).toBe(false);
});

test('a withdrawn or empty undo is skipped', () => {
  const { undos, offer, done } = undone();
  offer('mark', { at: 1 });
  undos.offer(() => false, { at: 2 });
  offer('withdrawn', { at: 3 })();
  expect(undos.undoLatest()).toBe(true);
  expect(done).toEqual(['mark']);
  expect(undos.undoLatest()).toBe(false);
});

test('a scope is undone without the rest', () => {
  const { undos, offer, all } = undone();
  offer('mark', { at: 1, scope: 'marks' });
  offer('action', { at: 2 });
  expect(undos.undoLatest('marks')).toBe(true);
  expect(undos.undoLatest('marks')).toBe(false);
  expect(all()).toEqual(['mark', 'action']);
});

test('an undo whose subjects are all gone is withdrawn', () => {
  const { undos, offer, all } = undone();
  const ended: string[] = [];
  const about = (name: string, subjects: string[], key = name) =>
    offer(name, { key, subjects, onEnded: () => ended.push(name) });
  about('suspend Ada', ['@ada']);
  about('suspend both', ['@ada', '@bob']);
  about('deactivate Ada', ['@ada'], 'job');
  undos.endSubject('@ada', 'job');
  expect(ended).toEqual(['suspend Ada']);
  about('deactivate Bob', ['@bob'], 'other job');
  undos.endSubject('@bob', 'other job');
  expect(ended).toEqual(['suspend Ada', 'suspend both']);
  expect(all()).toEqual(['deactivate Bob', 'deactivate Ada']);
});

test('changes of a subject before its end have nothing left to undo, also after a reload', () => {
  vi.useFakeTimers({ now: 1000, toFake: ['Date'] });
  try {
    const undos = open();
    undos.endSubject('@ada', 'job');
    for (const { isSubjectEnded } of [undos, open()]) {
      expect(isSubjectEnded('@ada', 1000)).toBe(true);
      expect(isSubjectEnded('@ada', 1001)).toBe(false);
      expect(isSubjectEnded('@bob', 1000)).toBe(false);
    }
  } finally {
    vi.useRealTimers();
  }
});
