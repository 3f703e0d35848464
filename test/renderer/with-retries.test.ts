import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withRetries } from '../../renderer/actions/jobs/with-retries.ts';
import type { Server } from '../../renderer/transport/server.ts';
import { EmptyObject } from '../../shared/api/common.ts';
import { ConnectionFailure } from '../../shared/connection.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Fakes a server that loses the first requests, and records them. */
function losing(times: number) {
  const sent: string[] = [];
  const lose = async (method: string) => {
    sent.push(method);
    if (sent.length <= times) throw new ConnectionFailure('unreachable', "Can't reach server");
    return {};
  };
  const server = {
    send: (method: string) => lose(method),
    get: () => lose('GET'),
  } as unknown as Server;
  const watch = { answered() {}, lost: () => true, isWanted: () => true };
  return { sent, server, watch };
}

test.each([
  ['PUT', undefined, 3],
  ['POST', { idempotent: true }, 3],
  ['POST', undefined, 1],
  ['DELETE', undefined, 1],
] as const)('a lost %s %o is sent %i times', async (method, options, times) => {
  const { sent, server, watch } = losing(2);
  const done = withRetries(server, watch)
    .send(method, EmptyObject, '/v1/x', options)
    .catch((error: ConnectionFailure) => error.code);
  await vi.runAllTimersAsync();
  expect(await done).toEqual(times === 3 ? {} : 'unreachable');
  expect(sent).toHaveLength(times);
});

test('nothing is retried after the run was stopped', async () => {
  const { sent, server, watch } = losing(2);
  const done = withRetries(server, { ...watch, isWanted: () => false })
    .get(EmptyObject, '/v1/x')
    .catch((error: ConnectionFailure) => error.code);
  await vi.runAllTimersAsync();
  expect(await done).toBe('unreachable');
  expect(sent).toHaveLength(1);
});
