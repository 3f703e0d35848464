/** Status entries that a device stores, in batches if there are many. */
import { expect, test } from 'vitest';
import { openDeviceStorage } from '../../renderer/persisted.ts';
import { markBodies, type OutboxEntry, openOutbox } from '../../renderer/team/outbox.ts';
import type { Server } from '../../renderer/transport/server.ts';
import { memoryStorage, stubPage } from './page-stub.ts';

stubPage();

const start = Date.UTC(2026, 10, 20);

/** Returns stored entries that set the status of reports in batches, one second apart. */
function marks(from: number, to: number, atOnce: number): OutboxEntry[] {
  const kept: OutboxEntry[] = [];
  for (let id = from; id <= to; id += atOnce) {
    const reports = Array.from({ length: Math.min(atOnce, to - id + 1) }, (_, index) => id + index);
    kept.push({
      id: `reviewed-${id}`,
      at: start + id * 1000,
      body: { type: 'mark', reports, state: 'reviewed' },
    });
  }
  return kept;
}

test('each of 100,000 resolved reports keeps its own time', () => {
  const storage = memoryStorage();
  storage.setItem(
    'gatehouse.team.admin@fake',
    JSON.stringify([...marks(1, 24_000, 1), ...marks(24_001, 100_000, 500)]),
  );
  const open = () => {
    const deviceStorage = openDeviceStorage({ local: storage, session: memoryStorage() });
    return openOutbox({ id: 'admin@fake', deviceStorage } as Server);
  };
  open().add(markBodies([120_000], { state: 'reviewed' }));
  const all = new Map(
    open()
      .read()
      .flatMap(({ at, times, body }) =>
        body.type === 'mark'
          ? body.reports.map((id, index) => [id, { state: body.state, at: times?.[index] ?? at }] as const)
          : [],
      ),
  );
  expect(all.size).toBe(100_001);
  expect(all.get(7)).toEqual({ state: 'reviewed', at: start + 7000 });
  expect(all.get(24_000)).toEqual({ state: 'reviewed', at: start + 24_000_000 });
});

test('only the last version of an unsent document is kept', () => {
  const deviceStorage = openDeviceStorage({ local: memoryStorage(), session: memoryStorage() });
  const outbox = openOutbox({ id: 'admin@fake', deviceStorage } as Server);
  const save = (key: string, name: string) =>
    outbox.add([{ type: 'document', kind: 'policy', key, content: { name } }]);
  save('a', 'A');
  outbox.next();
  save('a', 'B');
  save('b', 'C');
  save('a', 'D');
  const names = outbox.read().flatMap(({ body }) => (body.type === 'document' ? body.content?.name : []));
  expect(names).toEqual(['A', 'C', 'D']);
});
