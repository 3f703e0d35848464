/** Matches of a policy list on a server, and rule files. */
import { expect, test } from 'vitest';
import { readRules } from '../../renderer/api/policy-lists/policy-matcher.ts';
import { hashOf } from '../../renderer/api/policy-lists/policy-rules.ts';
import { type FileRow, headerLine, rowLine } from '../../renderer/components/file/table-file.ts';
import {
  findMatches,
  ruleForLog,
  type ScanState,
} from '../../renderer/features/policy-lists/find-matches.ts';
import { matchScansOf } from '../../renderer/features/policy-lists/match-scans.ts';
import { readRulesFile } from '../../renderer/features/policy-lists/rules-file.ts';
import type { Server } from '../../renderer/transport/server.ts';

const rule = (kind: string, content: object) => ({
  type: `m.policy.rule.${kind}`,
  state_key: JSON.stringify(content),
  sender: '@bot:lists.example',
  origin_server_ts: 1,
  content,
});

const lists: Record<string, unknown[]> = {
  users: [{ name: '@spam1:x' }, { name: '@ada:x' }, { name: '@hidden:x' }],
  rooms: [
    { room_id: '!bad:x', canonical_alias: '#bad:x', joined_members: 2, joined_local_members: 2 },
    { room_id: '!mixed:x', joined_members: 3, joined_local_members: 1 },
    { room_id: '!huge:x', joined_members: 5000, joined_local_members: 1 },
  ],
  destinations: [{ destination: 'evil.example' }, { destination: 'fine.example' }],
};

/** Pages have two entries. */
function serving() {
  const asked: string[] = [];
  const get = async (_schema: unknown, path: string) => {
    asked.push(path);
    if (path.endsWith('/members')) return { members: ['@ada:x', '@spam2:far', '@fine:far'] };
    const [, name = ''] = /(users|rooms|destinations)\?/.exec(path) ?? [];
    const from = Number(new URLSearchParams(path.slice(path.indexOf('?'))).get('from'));
    return { [name]: lists[name]?.slice(from, from + 2), total: lists[name]?.length };
  };
  const server = {
    get,
    id: 's',
    connection: { userId: '@ada:x' },
    state: (make: () => unknown) => make(),
  } as unknown as Server;
  return { server, asked };
}

async function scan(rules: readonly unknown[], { withMembers = false, listsServers = true } = {}) {
  const { server, asked } = serving();
  const states: ScanState[] = [];
  const { signal } = new AbortController();
  const onProgress = (state: ScanState) => states.push(state);
  await findMatches(server, readRules(rules), { withMembers, listsServers, signal, onProgress });
  const last = states.at(-1);
  return { ids: last?.matches.map(({ id }) => id), last, asked };
}

test('finds local users, rooms, servers and optionally remote members of small rooms', async () => {
  const rules = [
    rule('user', { entity: '@spam*', recommendation: 'm.ban', reason: 'spam' }),
    rule('user', { hashes: { sha256: await hashOf('@hidden:x') }, recommendation: 'm.takedown' }),
    rule('room', { entity: '#bad:x', recommendation: 'm.ban' }),
    rule('server', { entity: 'evil.example', recommendation: 'm.ban' }),
  ];
  const alone = await scan(rules);
  expect(alone.ids).toEqual(['user @spam1:x', 'user @hidden:x', 'room !bad:x', 'server evil.example']);
  const { ids, last, asked } = await scan(rules, { withMembers: true });
  expect(ids).toEqual([...(alone.ids ?? []), 'member @spam2:far !mixed:x']);
  expect(last).toMatchObject({
    scanned: { users: { count: 3, total: 3 }, members: { count: 1, total: 1 } },
    skippedRooms: 1,
  });
  expect(asked.filter((path) => path.endsWith('/members'))).toHaveLength(1);
  const [found] = last?.matches[0]?.rules ?? [];
  expect(found && ruleForLog('Spam', found)).toBe('Policy list Spam: ban @spam*, spam');
});

test('scans only the kinds of entities that the list has rules for', async () => {
  const { asked } = await scan([rule('server', { entity: '*', recommendation: 'm.ban' })]);
  expect(asked.every((path) => path.includes('destinations'))).toBe(true);
});

test('imports CSV, NDJSON, JSON and state events, and counts skipped entries', () => {
  const columns = ['entity', 'kind', 'recommendation', 'reason', 'at', 'hash'];
  const rows: FileRow[] = [
    {
      entity: '@a:x',
      kind: 'user',
      recommendation: 'ban',
      reason: 'spam, and "worse"\nthan that',
      at: '2026',
    },
    { entity: null, kind: 'room', recommendation: 'takedown', reason: '', at: '', hash: 'A'.repeat(43) },
  ];
  const terms = [
    { kind: 'user', terms: { entity: '@a:x', recommendation: 'ban', reason: rows[0]?.reason } },
    { kind: 'room', terms: { hash: 'A'.repeat(43), recommendation: 'takedown', reason: '' } },
  ];
  for (const format of ['csv', 'raw-csv', 'ndjson'] as const) {
    const text = headerLine(format, columns) + rows.map((row) => rowLine(format, columns, row)).join('');
    expect([format, readRulesFile(text)]).toEqual([format, { rules: terms, unreadable: 0 }]);
  }
  const events = [
    rule('server', { entity: 'evil.example', recommendation: 'org.matrix.msc4204.takedown' }),
    rule('user', {}),
    { entity: '!r:x' },
    'nonsense',
  ];
  expect(readRulesFile(JSON.stringify(events))).toEqual({
    rules: [
      { kind: 'server', terms: { entity: 'evil.example', recommendation: 'takedown', reason: '' } },
      { kind: 'room', terms: { entity: '!r:x', recommendation: 'ban', reason: '' } },
    ],
    unreadable: 2,
  });
  expect(readRulesFile('entity\nevil.example\n"unclosed')).toMatchObject({ rules: { length: 2 } });
  expect(readRulesFile('')).toEqual({ rules: [], unreadable: 0 });
});

test('a stopped scan ends without an error', async () => {
  const scans = matchScansOf(serving().server);
  const rules = readRules([rule('user', { entity: '@spam*', recommendation: 'm.ban' })]);
  const running = scans.start('!list:x', rules, { withMembers: false, listsServers: true });
  expect(scans.of('!list:x')).toMatchObject({ step: 'running' });
  scans.stop('!list:x');
  await running;
  expect(scans.of('!list:x')).toMatchObject({ step: 'stopped', error: null });
});
