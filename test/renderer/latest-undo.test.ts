import { expect, test } from 'vitest';
import { isUndoOffered, offerUndo, undoLatest } from '../../renderer/actions/latest-undo.ts';

function undone() {
  const done: string[] = [];
  const offer = (name: string, begun?: { at?: number; key?: string }) =>
    offerUndo(() => void done.push(name), begun);
  const all = () => {
    while (undoLatest());
    return done;
  };
  return { offer, all };
}

test('what was begun last is undone first, whenever it was offered', () => {
  const { offer, all } = undone();
  offer('mark', { at: 1 });
  offer('another mark', { at: 3 });
  offer('slow action', { at: 2 });
  offer('action at the same moment', { at: 3 });
  expect(all()).toEqual(['action at the same moment', 'another mark', 'slow action', 'mark']);
});

test('an offer replaces the one of the same key, in its place', () => {
  const { offer, all } = undone();
  offer('begun', { at: 1, key: 'job' });
  offer('mark', { at: 2 });
  offer('done', { at: 1, key: 'job' });
  expect(isUndoOffered('job')).toBe(true);
  expect(all()).toEqual(['mark', 'done']);
  expect(isUndoOffered('job')).toBe(false);
});

test('one that is withdrawn, or has nothing left to undo, is passed over', () => {
  const { offer, all } = undone();
  offer('mark', { at: 1 });
  offerUndo(() => false, { at: 2 });
  offer('withdrawn', { at: 3 })();
  expect(all()).toEqual(['mark']);
  expect(undoLatest()).toBe(false);
});
