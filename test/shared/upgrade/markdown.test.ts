import { expect, test } from 'vitest';
import { planAsMarkdown } from '../../../shared/upgrade/markdown.ts';
import { groupByTouch } from '../../../shared/upgrade/notes-by-touch.ts';
import { planUpgrade } from '../../../shared/upgrade/plan.ts';
import { readConfiguration } from '../../../shared/upgrade/read-configuration.ts';

const markdown = (from: string, to: string, text?: string) =>
  planAsMarkdown(
    planUpgrade({
      from,
      to,
      dialect: 'matrix',
      baseUrl: 'https://example.org',
      configuration: text === undefined ? undefined : [readConfiguration('my `file`.yaml', text)],
    }),
  );

test('a plan as a document', () => {
  expect(
    markdown('1.84.0', '1.85.0', 'worker_replication_host: h'),
  ).toBe(`# Upgrade from v1.84.0 to v1.85.0: 1 note, 1 version

## Before you start

- v1.85.0 lacks the fixes of 13 later security releases; the newest is v1.157.2. From Synapse's source, 2026-11-29.
- The commands below need an admin access token in ACCESS_TOKEN.

  \`\`\`sh
  stty -echo; read -r ACCESS_TOKEN; stty echo; export ACCESS_TOKEN
  \`\`\`

## Configuration changes

- [ ] **Deprecated, v1.84.0, overdue**: The worker_replication_\\* settings are deprecated. Entries in instance_map contain host, port and optionally tls.
  - \`my 'file'.yaml:1:1\` \`worker_replication_host\`: Remove it, and add main to instance_map in homeserver.yaml, with host, port and optionally tls.

## Rollback

| Version | Rollback to | Previous version |
| --- | --- | --- |
| v1.85.0 | v1.83.0 | v1.84.0: safe |

## v1.85.0

Target and first version of v1.85.0 – v1.91.2 (rollback to v1.83.0). Safe: v1.85.0 can roll back to v1.83.0 and later, including v1.84.0.

### From Synapse's source, 2026-11-29

- v1.85.2 is the newest patch of v1.85.0, with the same rollback. Make it the target. <https://github.com/element-hq/synapse/releases/tag/v1.85.2>
- Known fault, fixed in v1.85.1: The database migration fails on some servers. <https://github.com/element-hq/synapse/releases/tag/v1.85.1>
- Known fault, fixed in v1.85.2: Replication between workers fails with TLS. <https://github.com/element-hq/synapse/releases/tag/v1.85.2>
- Known fault, fixed in v1.90.0: With workers, purging history while a client loads it can corrupt the database. <https://github.com/element-hq/synapse/releases/tag/v1.90.0>
- Security fix of v1.85.0 (2023-06-06): Deactivated users could sign in with unusual settings, and URL previews could bypass the blacklist. CVE-2023-32682, CVE-2023-32683 <https://github.com/element-hq/synapse/releases/tag/v1.85.0>

### Clients and API

- [ ] **v1.85.0**, deprecated: The legacy user property for registration is deprecated. (\`POST /_matrix/client/v3/register\`) Update application services to send username.

### Steps

1. [ ] Back up the database, media, signing key and configuration.
2. [ ] Stop the server and all workers.
3. [ ] Complete this version's items, then install v1.85.0.
4. [ ] Start the server. It responds after migrating the database.

   \`\`\`sh
   curl -fsS --retry 999 --retry-delay 5 --retry-all-errors 'https://example.org/_matrix/client/versions'
   \`\`\`

5. [ ] Check that the server reports version 1.85.0.

   \`\`\`sh
   curl -fsS -H "Authorization: Bearer $ACCESS_TOKEN" 'https://example.org/_synapse/admin/v1/server_version'
   \`\`\`

6. [ ] Wait until background updates finish (current_updates is empty).

   \`\`\`sh
   curl -fsS -H "Authorization: Bearer $ACCESS_TOKEN" 'https://example.org/_synapse/admin/v1/background_updates/status'
   \`\`\`

`);
});

test('a finding names the version to install with its change, unless it is overdue or there is one version', () => {
  const text = 'worker_replication_host: h\nstructured: true\n';
  expect(markdown('1.80.0', '1.92.0', text)).toMatch(/\*\*Won't start, v1\.88\.0, change with v1\.90\.0\*\*/);
  expect(markdown('1.80.0', '1.92.0', text)).toMatch(/\*\*Won't start, v1\.54\.0, overdue\*\*/);
  expect(markdown('1.87.0', '1.88.0', text)).toMatch(/\*\*Won't start, v1\.88\.0\*\*/);
});

test('equal versions and a refused downgrade are short', () => {
  expect(markdown('1.98.0', '1.98.0')).toBe('# No upgrade needed: v1.98.0 is running\n');
  expect(markdown('1.84.0', '1.70.0')).toMatch(
    /^# Downgrade from v1.84.0 to v1.70.0: not allowed\n\n## Before/,
  );
});

test('with intermediate versions it explains the risk of skipping them', () => {
  expect(markdown('1.84.0', '1.92.0')).toContain(
    'Direct to v1.92.0, no intermediate versions: Not safe: v1.92.0 can roll back only to v1.90.0. Restore the backup for v1.84.0.\n',
  );
});

test('every note is in one group', () => {
  const { notes } = planUpgrade({ from: '1.0.0', dialect: 'vendor' }).direct;
  const groups = groupByTouch(notes);
  expect(groups.flatMap((group) => group.notes).toSorted(byId)).toEqual(notes.toSorted(byId));
  expect(groups.map(({ title }) => title)).toEqual([
    'Configuration',
    'Database',
    'Workers',
    'Clients and API',
    'Modules',
    'Media',
    'Metrics and logs',
    'Packaging and runtime',
  ]);
});

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
