import { expect, test, vi } from 'vitest';
import { noticesOf } from '../../renderer/components/notices.ts';
import type { Server } from '../../renderer/transport/server.ts';

function notices() {
  const stores = new Map<unknown, unknown>();
  const state = (make: () => unknown) => {
    if (!stores.has(make)) stores.set(make, make());
    return stores.get(make);
  };
  return noticesOf({ state } as unknown as Server);
}

const undo = () => {};

test('a notice is added to one that can be undone, which keeps its undo for a moment', () => {
  vi.useFakeTimers();
  const { show, snapshot } = notices();
  show({ text: 'Suspended', undo });
  show({ text: 'Report 1 resolved' });
  expect(snapshot().newest).toMatchObject({ text: 'Report 1 resolved · Suspended', undo });
  vi.advanceTimersByTime(3_000);
  show({ text: 'Copied' });
  expect(snapshot().newest).toMatchObject({ text: 'Copied' });
  vi.useRealTimers();
});

test('a notice with an own undo replaces the one before', () => {
  const { show, snapshot } = notices();
  const unlock = () => {};
  show({ text: 'Suspended', undo });
  show({ text: 'Locked', undo: unlock });
  expect(snapshot().newest).toMatchObject({ text: 'Locked', undo: unlock });
  expect(snapshot().recent.map(({ text }) => text)).toEqual(['Locked', 'Suspended']);
});

test('a hidden notice stays among the recent ones, without its undo', () => {
  const { show, snapshot } = notices();
  const hide = show({ text: 'Suspended', undo });
  hide();
  expect(snapshot()).toMatchObject({ recent: [{ text: 'Suspended', undo: undefined }] });
  expect(snapshot().newest).toBe(undefined);
});
