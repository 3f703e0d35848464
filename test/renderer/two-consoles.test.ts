/** Two consoles in one process share no state, and a closed one leaves nothing running. */
import { createMemoryHistory } from '@tanstack/react-router';
import { expect, test, vi } from 'vitest';
import { jobsOf } from '../../renderer/actions/jobs/job-store.ts';
import { undosOf } from '../../renderer/actions/undo-stack.ts';
import { noticesOf } from '../../renderer/components/notices.ts';
import { rememberAccount, savedAccounts } from '../../renderer/components/saved-accounts.ts';
import { makeConsole } from '../../renderer/console/make-console.ts';
import { noteDrafts } from '../../renderer/team/note-drafts.ts';
import { teamOf } from '../../renderer/team/team-store.ts';
import type { ConsoleHost } from '../../renderer/transport/host.ts';
import type { Connection } from '../../shared/connection.ts';
import { memoryStorage, stubPage } from './page-stub.ts';

const connection: Connection = {
  id: '@root:x',
  baseUrl: 'https://x.example',
  dialect: 'matrix',
  userId: '@root:x',
  local: false,
};

const page = stubPage();

function openConsole() {
  const close = vi.fn();
  const host = {
    enter: async () => {},
    listConnections: async () => [connection],
    request: async () => ({
      status: 404,
      body: { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' },
    }),
    close,
  } as unknown as ConsoleHost;
  const opened = makeConsole(host, {
    storages: { local: memoryStorage(), session: memoryStorage() },
    history: createMemoryHistory(),
  });
  return { ...opened, hostClosed: close, server: opened.servers.of(connection) };
}

test("actions in one console don't appear in another", () => {
  const [one, other] = [openConsole(), openConsole()];
  rememberAccount(one.deviceStorage, connection);
  noteDrafts(one.server).keep({ kind: 'user', id: '@a:x' } as never, 'a draft');
  teamOf(one.server).snapshot().mark([1], 'reviewed');
  undosOf(one.server).offer(() => {});
  noticesOf(one.server).show({ text: 'Suspended', undo: () => {} });
  one.queryClient.setQueryData([connection.id, 'users'], []);
  one.deletedReports.bury(connection.id, [1], 'gone');

  expect(teamOf(one.server).snapshot().marks.size).toBe(1);
  expect(savedAccounts(other.deviceStorage).read()).toEqual([]);
  expect(noteDrafts(other.server).of({ kind: 'user', id: '@a:x' } as never)).toBe('');
  expect(teamOf(other.server).snapshot().marks.size).toBe(0);
  expect(undosOf(other.server).undoLatest()).toBe(false);
  expect(noticesOf(other.server).snapshot().recent).toEqual([]);
  expect(other.queryClient.getQueryData([connection.id, 'users'])).toBeUndefined();
  expect(other.deletedReports.of(connection.id).size).toBe(0);
  one.close();
  other.close();
});

test('a closed console leaves no timer and no listener', async () => {
  vi.useFakeTimers();
  try {
    const { close, hostClosed, server, router, enter } = openConsole();
    await enter({ loginToken: undefined, response: undefined });
    jobsOf(server);
    teamOf(server).subscribe(() => {});
    await vi.advanceTimersByTimeAsync(5_000);
    expect(page.count).toBeGreaterThan(0);
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    close();
    await vi.advanceTimersByTimeAsync(0);
    expect(page.count).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(hostClosed).toHaveBeenCalledOnce();
    expect(router.state.location.pathname).toBe('/');
  } finally {
    vi.useRealTimers();
  }
});
