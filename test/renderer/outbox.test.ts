/** Marks that this device keeps, so many that they are kept together. */
import { expect, test } from 'vitest';
import { keptValues } from '../../renderer/persisted.ts';
import { markBodies, type OutboxEntry, openOutbox } from '../../renderer/team/outbox.ts';
import type { Server } from '../../renderer/transport/server.ts';
import { memoryStorage, stubPage } from './page-stub.ts';

stubPage();

const start = Date.UTC(2026, 10, 20);

/** What marks reports as it is kept, so many at once, each a second after the one before. */
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

test('of a hundred thousand reports that were marked, most of them one by one, each mark stays with its time', () => {
  const storage = memoryStorage();
  storage.setItem(
    'gatehouse.team.admin@fake',
    JSON.stringify([...marks(1, 24_000, 1), ...marks(24_001, 100_000, 500)]),
  );
  const open = () => {
    const kept = keptValues({ local: storage, session: memoryStorage() });
    return openOutbox({ id: 'admin@fake', kept } as Server);
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

test('of a document that is not sent yet, only the last version is kept', () => {
  const kept = keptValues({ local: memoryStorage(), session: memoryStorage() });
  const outbox = openOutbox({ id: 'admin@fake', kept } as Server);
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
