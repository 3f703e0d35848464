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
  ).toBe(`# Upgrade from v1.84.0 to v1.85.0: 1 note, 1 stop

## To change in the configuration

- [ ] \`my 'file'.yaml:1:1\` \`worker_replication_host\` (v1.84.0, deprecated, overdue): The worker_replication_\\* settings are on their way out. Entries of instance_map hold host, port and, where wanted, tls. Remove it, and list the main process in homeserver.yaml, under instance_map: main: with host, port and, where wanted, tls.

## Rolling back

| stop | can go back to | to the version before |
| --- | --- | --- |
| v1.85.0 | v1.83.0 | to v1.84.0: safe |

## v1.85.0

The target, and the first release of v1.85.0 – v1.91.2, which can go back to v1.83.0. Safe: v1.85.0 can go back as far as v1.83.0, and v1.84.0 is not older than that.

### Clients and API

- [ ] **v1.85.0**, deprecated: Naming the user to register in the legacy property user is on its way out. (\`POST /_matrix/client/v3/register\`) Update application services to versions that send username.

### Steps

1. [ ] Back up the database, the media, the signing key and the configuration.
2. [ ] Stop the server and all workers.
3. [ ] Do what this stop asks for, then install v1.85.0.
4. [ ] Start the server and wait: it answers once the database is migrated.

   \`\`\`sh
   curl -fsS --retry 999 --retry-delay 5 --retry-all-errors 'https://example.org/_matrix/client/versions'
   \`\`\`

5. [ ] Check the version that the server says: 1.85.0.

   \`\`\`sh
   curl -fsS -H "Authorization: Bearer $ACCESS_TOKEN" 'https://example.org/_synapse/admin/v1/server_version'
   \`\`\`

6. [ ] Wait until the background updates have finished, that is until current_updates is empty, before you go on.

   \`\`\`sh
   curl -fsS -H "Authorization: Bearer $ACCESS_TOKEN" 'https://example.org/_synapse/admin/v1/background_updates/status'
   \`\`\`

`);
});

test('equal versions, and a downgrade that is refused, are short', () => {
  expect(markdown('1.98.0', '1.98.0')).toBe('# Nothing to upgrade: v1.98.0 is the version that runs\n');
  expect(markdown('1.84.0', '1.70.0')).toMatch(
    /^# Downgrade from v1.84.0 to v1.70.0: not allowed\n\n## Before/,
  );
});

test('with more than one stop it says what leaving them out means', () => {
  expect(markdown('1.84.0', '1.92.0')).toContain(
    'Directly to v1.92.0, without stops: Not safe: v1.92.0 can go back no further than v1.90.0. The way back to v1.84.0 is the backup.\n',
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
