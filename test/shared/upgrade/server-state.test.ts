import { expect, test } from 'vitest';
import type { IncomingReply, OutgoingRequest } from '../../../shared/connection.ts';
import { dialects } from '../../../shared/dialect.ts';
import { askServerState } from '../../../shared/upgrade/server-state.ts';

const ask = (status: IncomingReply, asked: OutgoingRequest[] = []) =>
  askServerState(
    async (request) => {
      asked.push(request);
      return request.url.endsWith('/server_version')
        ? { status: 200, body: { server_version: '1.98.0' } }
        : status;
    },
    { baseUrl: 'https://example.org', dialect: dialects.matrix },
    'token',
  );

test('requests version and background updates as an admin', async () => {
  const asked: OutgoingRequest[] = [];
  const master = { name: 'populate_stats', total_item_count: 5, total_duration_ms: 1.5 };
  const body = { enabled: true, current_updates: { master } };
  expect(await ask({ status: 200, body }, asked)).toEqual({
    version: '1.98.0',
    pendingUpdates: ['populate_stats'],
  });
  expect(asked).toEqual([
    {
      method: 'GET',
      url: 'https://example.org/_synapse/admin/v1/server_version',
      accessToken: 'token',
    },
    {
      method: 'GET',
      url: 'https://example.org/_synapse/admin/v1/background_updates/status',
      accessToken: 'token',
    },
  ]);
});

test.each<[string, IncomingReply, string[] | null]>([
  ['none is pending', { status: 200, body: { enabled: true, current_updates: {} } }, []],
  ['the server does not say', { status: 404, body: { errcode: 'M_UNRECOGNIZED', error: 'x' } }, null],
])('%s', async (_, reply, pendingUpdates) => {
  expect(await ask(reply)).toEqual({ version: '1.98.0', pendingUpdates });
});

test.each<[string, IncomingReply, string]>([
  ['not an administrator', { status: 403, body: { errcode: 'M_FORBIDDEN', error: 'no' } }, 'bad_credentials'],
  ['another shape', { status: 200, body: { current_updates: [] } }, 'unexpected_reply'],
])('%s', async (_, reply, code) => {
  await expect(ask(reply)).rejects.toMatchObject({ code });
});
