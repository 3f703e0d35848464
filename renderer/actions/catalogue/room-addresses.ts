/** Room directory and aliases. */
import { i18n } from '@lingui/core';
import { IconListDetails, IconListSearch, IconSourceCode, IconTag, IconTagOff } from '@tabler/icons-react';
import { addAlias, deleteExtremities, removeAlias, setPublished } from '../../api/room-changes.ts';
import { isSynapseSince } from '../../api/server.ts';
import type { Server } from '../../transport/server.ts';
import { serverName } from '../../transport/server-name.ts';
import { action, type Forecast } from '../action.ts';
import type { ItemOf } from '../items.ts';
import { switched } from './changes.ts';

const ofRoom = { kind: 'room', group: 'room' } as const;

const lists = (listed: boolean) =>
  switched<ItemOf<'room'>>(listed, (server, { roomId }, on) => setPublished(server, roomId, on));

const listed = /*i18n*/ '{count, plural, one {{name}} other {# rooms}} published in the room directory';
const unlisted = /*i18n*/ '{count, plural, one {{name}} other {# rooms}} removed from the room directory';

/** No API returns the rules. */
async function publicationForecast(
  server: Server,
  _item: unknown,
  _answers: unknown,
  signal: AbortSignal,
): Promise<Forecast> {
  if (!(await isSynapseSince(server, 126, signal))) return { sentences: [] };
  return {
    sentences: [
      i18n.t(
        'Since v1.126, Synapse refuses this by default. It needs an allowing rule in room_list_publication_rules (homeserver.yaml) and a restart.',
      ),
    ],
  };
}

/** Completes an alias with `#` and the server name. */
function wholeAlias({ connection }: Server, typed: unknown): string {
  const name = String(typed).trim().replace(/^#?/, '#');
  return name.includes(':') ? name : `${name}:${serverName(connection)}`;
}

export const roomAddresses = [
  action({
    ...ofRoom,
    id: 'publish-room',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Publish in room directory} other {Publish # rooms in directory}}',
    hint: /*i18n*/ 'Lists the room in the room directory',
    icon: IconListSearch,
    needs: ['publish'],
    applies: ({ room }) => room?.public !== true,
    words: {
      will: /*i18n*/ "Lists {count, plural, one {{name}} other {# rooms}} in this server's room directory. Join rules don't change.",
      doing: /*i18n*/ 'Publishing {count, plural, one {{name}} other {# rooms}}',
      done: listed,
      undone: unlisted,
    },
    forecast: publicationForecast,
    ...lists(true),
  }),
  action({
    ...ofRoom,
    id: 'unpublish-room',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Remove from room directory} other {Remove # rooms from directory}}',
    hint: /*i18n*/ 'Hides the room from the room directory',
    icon: IconListDetails,
    needs: ['publish'],
    applies: ({ room }) => room?.public !== false,
    words: {
      will: /*i18n*/ "Removes {count, plural, one {{name}} other {# rooms}} from this server's room directory. Members stay.",
      doing: /*i18n*/ 'Removing {count, plural, one {{name}} other {# rooms}} from the room directory',
      done: unlisted,
      undone: listed,
    },
    ...lists(false),
  }),
  action<'room'>({
    ...ofRoom,
    id: 'add-alias',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Add alias} other {Add alias to # rooms}}',
    hint: /*i18n*/ 'Adds a room alias',
    icon: IconTag,
    needs: ['aliases'],
    oneOnly: true,
    words: {
      will: /*i18n*/ 'Adds an alias to {name}. Room admins choose the main address.',
      doing: /*i18n*/ 'Adding address to {name}',
      done: /*i18n*/ 'Address added to {name}',
      undone: /*i18n*/ 'Address removed from {name}',
    },
    fields: [
      {
        kind: 'line',
        name: 'alias',
        label: /*i18n*/ 'Alias',
        note: /*i18n*/ '#name:server (local), or just the name',
        required: true,
        faultOf(value, { server }) {
          const alias = wholeAlias(server, value);
          if (!/^#[^\s:]+:/.test(alias)) return /*i18n*/ "Aliases can't contain spaces or colons.";
          if (alias.endsWith(`:${serverName(server.connection)}`)) return undefined;
          return /*i18n*/ 'Only local aliases can be added.';
        },
      },
    ],
    async run({ server }, { roomId }, { fields }) {
      const alias = wholeAlias(server, fields.alias);
      await addAlias(server, roomId, alias);
      return { undo: alias, detail: alias };
    },
    async undo({ server }, _item, alias) {
      await removeAlias(server, String(alias));
    },
  }),
  action<'alias'>({
    id: 'remove-alias',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Remove alias} other {Remove # aliases}}',
    hint: /*i18n*/ 'Deletes the room alias',
    kind: 'alias',
    group: 'room',
    icon: IconTagOff,
    usual: true,
    needs: ['aliases'],
    words: {
      will: /*i18n*/ 'Removes {count, plural, one {{name}} other {# aliases}}. Removed aliases can be claimed for other rooms.',
      doing: /*i18n*/ '{count, plural, one {Removing {name}} other {Removing # addresses}}',
      done: /*i18n*/ '{count, plural, one {{name} removed} other {# addresses removed}}',
      undone: /*i18n*/ '{count, plural, one {{name} restored} other {# addresses restored}}',
    },
    async run({ server }, { alias }) {
      await removeAlias(server, alias);
      return { detail: alias };
    },
    undo: ({ server }, { roomId, alias }) => addAlias(server, roomId, alias).then(() => undefined),
  }),
  action<'room'>({
    ...ofRoom,
    id: 'delete-extremities',
    role: 'lead',
    label:
      /*i18n*/ '{count, plural, one {Delete forward extremities} other {Delete forward extremities of # rooms}}',
    hint: /*i18n*/ 'Speeds up a slow room',
    icon: IconSourceCode,
    needs: ['extremities'],
    destructive: true,
    words: {
      will: /*i18n*/ 'Deletes all but one forward extremity of {count, plural, one {{name}} other {each of # rooms}}. Room state may then differ on other servers.',
      lost: /*i18n*/ "This can't be undone.",
      doing: /*i18n*/ 'Deleting forward extremities of {count, plural, one {{name}} other {# rooms}}',
      done: /*i18n*/ 'Forward extremities of {count, plural, one {{name}} other {# rooms}} deleted',
    },
    async run({ server }, { roomId }) {
      return { detail: `${await deleteExtremities(server, roomId)} deleted` };
    },
  }),
];
