import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../server/platform/config/load.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-config-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function load(yaml: string) {
  const file = join(directory, 'homeserver.yaml');
  await writeFile(file, yaml);
  const { roomDirectory, profiles } = await loadConfig({ file, dataDir: directory });
  return { ...roomDirectory, ...profiles };
}

const anything = { userId: '*', alias: '*', roomId: '*', action: 'allow' };

test('by default only admins publish, and everyone creates aliases and changes their profile', async () => {
  expect(await load('server_name: localhost')).toEqual({
    publicationRules: [],
    aliasCreationRules: [anything],
    isOpen: false,
    aliasesByMembers: true,
    mayChangeDisplayName: true,
    mayChangeAvatarUrl: true,
  });
});

test('rules apply in order, with defaults for omitted fields', async () => {
  const yaml = `
room_list_publication_rules:
  - user_id: "@bob:*"
    action: deny
  - alias: "#pub*"
  - room_id: "!a:localhost"
alias_creation_rules: []
enable_set_displayname: false
enable_set_avatar_url: false
allow_public_rooms_without_auth: true
require_membership_for_aliases: false
`;
  expect(await load(yaml)).toEqual({
    publicationRules: [
      { ...anything, userId: '@bob:*', action: 'deny' },
      { ...anything, alias: '#pub*' },
      { ...anything, roomId: '!a:localhost' },
    ],
    aliasCreationRules: [],
    isOpen: true,
    aliasesByMembers: false,
    mayChangeDisplayName: false,
    mayChangeAvatarUrl: false,
  });
});

test.each([
  ['room_list_publication_rules: allow', /room_list_publication_rules/],
  ['room_list_publication_rules: [{ action: maybe }]', /room_list_publication_rules/],
  ['alias_creation_rules: [{ user: "*" }]', /alias_creation_rules/],
  ['enable_set_displayname: perhaps', /enable_set_displayname/],
])('refuses %s', async (yaml, message) => {
  await expect(load(yaml)).rejects.toThrow(message);
});
