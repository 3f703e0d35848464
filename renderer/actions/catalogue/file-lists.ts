/** Adds files to the team's word lists, by their hash. */
import { i18n } from '@lingui/core';
import { IconPlaylistAdd } from '@tabler/icons-react';
import { Type } from 'typebox';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { fits } from '../../../shared/fits.ts';
import { maxDocumentChars } from '../../../shared/team/entries.ts';
import { ruleKind, rulesIn } from '../../../shared/team/rules.ts';
import {
  type KeyedWordList,
  knownFilesKey,
  maxWords,
  wordListsIn,
  wordsKind,
} from '../../../shared/team/word-lists.ts';
import { getMedium } from '../../api/media.ts';
import { ruleName } from '../../team/rule-names.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import { action } from '../action.ts';
import { sha256 } from '../evidence/sha256.ts';

const Stored = Type.Object({ list: Type.String(), hash: Type.String() });

const listsOf = (server: Server) => wordListsIn(teamOf(server).snapshot().documents(wordsKind));

/** Returns the hash that the server provides, else that of the image as it's downloaded. @throws ConnectionFailure */
async function hashOfFile(server: Server, uri: string): Promise<string> {
  const { sha256: known } = await getMedium(server, uri);
  if (known) return known.toLowerCase();
  const hash = await sha256(await server.media({ uri }));
  if (hash) return hash;
  throw new ConnectionFailure('refused', /*i18n*/ 'Hashing needs a secure connection to the console.');
}

/** @throws ConnectionFailure if the list was deleted or is full */
function setFiles(server: Server, key: string, change: (files: readonly string[]) => readonly string[]) {
  const list = listsOf(server).find((each) => each.key === key);
  if (!list) throw new ConnectionFailure('refused', /*i18n*/ 'The word list was deleted.');
  const { key: _key, isBuiltIn: _isBuiltIn, replacesBuiltIn: _replaces, ...content } = list;
  const next = { ...content, files: change(list.files ?? []) };
  if (next.files.length > maxWords || JSON.stringify(next).length > maxDocumentChars - 1000) {
    throw new ConnectionFailure('refused', /*i18n*/ 'The word list is full. Create another one.');
  }
  teamOf(server).snapshot().putDocument(wordsKind, key, next);
}

/** Whether an enabled rule uses the list. */
const isUsed = (server: Server, { key }: KeyedWordList) =>
  rulesIn(teamOf(server).snapshot().documents(ruleKind)).some(
    ({ on, when }) => on && when.words?.includes(key),
  );

export const listFile = action<'media'>({
  id: 'list-file',
  role: 'moderator',
  label: /*i18n*/ '{count, plural, one {Add file to list} other {Add # files to list}}',
  hint: /*i18n*/ 'Rules find reports on identical files',
  kind: 'media',
  group: 'event',
  icon: IconPlaylistAdd,
  needs: ['medium'],
  words: {
    will: /*i18n*/ 'Adds the SHA-256 of {count, plural, one {this file} other {# files}} to a word list of your team.',
    doing: /*i18n*/ '{count, plural, one {Adding file to list} other {Adding # files to list}}',
    done: /*i18n*/ '{count, plural, one {File added to list} other {# files added to list}}',
    undone: /*i18n*/ '{count, plural, one {File removed from list} other {# files removed from list}}',
  },
  fields: [
    {
      kind: 'choice',
      name: 'list',
      label: /*i18n*/ 'Word list',
      initial: knownFilesKey,
      options: (server) => listsOf(server).map((list) => ({ value: list.key, label: ruleName(list) })),
    },
  ],
  async forecast(server, { uri }, { fields }) {
    const list = listsOf(server).find(({ key }) => key === fields.list);
    const { sha256 } = await getMedium(server, uri).catch(() => ({ sha256: undefined }));
    const isListed = Boolean(sha256 && list?.files?.includes(sha256.toLowerCase()));
    if (isListed) return { sentences: [i18n.t('Already in this list.')], idle: true };
    return { sentences: list && !isUsed(server, list) ? [i18n.t('No automatic rule uses this list.')] : [] };
  },
  async run({ server }, { uri }, { fields }) {
    const key = String(fields.list);
    const hash = await hashOfFile(server, uri);
    const isListed = listsOf(server).some((list) => list.key === key && list.files?.includes(hash));
    if (!isListed) setFiles(server, key, (files) => [...files, hash]);
    return { detail: uri, unchanged: isListed, undo: { list: key, hash } };
  },
  async undo({ server }, _item, stored) {
    if (!fits(Stored, stored)) return;
    setFiles(server, stored.list, (files) => files.filter((hash) => hash !== stored.hash));
  },
});
