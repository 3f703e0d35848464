/** Where rooms are found: the public list, and their addresses. */
import { IconListDetails, IconListSearch, IconSourceCode, IconTag, IconTagOff } from '@tabler/icons-react';
import { addAlias, deleteExtremities, removeAlias, setListed } from '../../api/room-changes.ts';
import type { Server } from '../../transport/server.ts';
import { serverName } from '../../transport/server-name.ts';
import { action } from '../action.ts';
import { switched } from './switched.ts';

const ofRoom = { kind: 'room', group: 'room' } as const;

const lists = (listed: boolean) =>
  switched<{ roomId: string }>(listed, (server, { roomId }, on) => setListed(server, roomId, on));

const listed =
  /*i18n*/ '{count, plural, one {{name} is in the public list} other {# rooms are in the public list}}';
const unlisted =
  /*i18n*/ '{count, plural, one {{name} is not in the public list} other {# rooms are not in the public list}}';

/** The whole address of what was typed: of this server where no other one is named. */
function wholeAlias({ connection }: Server, typed: unknown): string {
  const name = String(typed).trim().replace(/^#?/, '#');
  return name.includes(':') ? name : `${name}:${serverName(connection)}`;
}

export const roomAddresses = [
  action({
    ...ofRoom,
    id: 'publish-room',
    icon: IconListSearch,
    needs: ['publish'],
    applies: ({ room }) => room?.public !== true,
    words: {
      will: /*i18n*/ '{count, plural, one {Everyone finds {name} in the public list of this server. Who may join stays as it is.} other {Everyone finds these # rooms in the public list of this server. Who may join stays as it is.}}',
      doing: /*i18n*/ '{count, plural, one {Listing {name}} other {Listing # rooms}}',
      done: listed,
      undone: unlisted,
    },
    ...lists(true),
  }),
  action({
    ...ofRoom,
    id: 'unpublish-room',
    icon: IconListDetails,
    needs: ['publish'],
    applies: ({ room }) => room?.public !== false,
    words: {
      will: /*i18n*/ '{count, plural, one {{name} no longer stands in the public list of this server. Who is in it stays.} other {These # rooms no longer stand in the public list of this server. Who is in them stays.}}',
      doing:
        /*i18n*/ '{count, plural, one {Taking {name} out of the list} other {Taking # rooms out of the list}}',
      done: unlisted,
      undone: listed,
    },
    ...lists(false),
  }),
  action<'room'>({
    ...ofRoom,
    id: 'add-alias',
    icon: IconTag,
    needs: ['aliases'],
    oneOnly: true,
    words: {
      will: /*i18n*/ 'The address leads to {name}. Which of them the room shows is for its own administrators to say.',
      doing: /*i18n*/ 'Adding an address to {name}',
      done: /*i18n*/ '{name} has one address more',
      undone: /*i18n*/ '{name} no longer has the address',
    },
    fields: [
      {
        kind: 'line',
        name: 'alias',
        label: /*i18n*/ 'Address',
        note: /*i18n*/ '#name:server, of this server; the name alone will do',
        required: true,
        faultOf(value, { server }) {
          const alias = wholeAlias(server, value);
          if (!/^#[^\s:]+:/.test(alias)) return /*i18n*/ 'A name has no spaces and no colon.';
          if (alias.endsWith(`:${serverName(server.connection)}`)) return undefined;
          return /*i18n*/ 'Addresses of other servers are for those to give.';
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
    kind: 'alias',
    group: 'room',
    icon: IconTagOff,
    usual: true,
    needs: ['aliases'],
    words: {
      will: /*i18n*/ '{count, plural, one {{name} leads nowhere any more, and anyone can take it for another room.} other {# addresses lead nowhere any more, and anyone can take them for other rooms.}}',
      doing: /*i18n*/ '{count, plural, one {Removing {name}} other {Removing # addresses}}',
      done: /*i18n*/ '{count, plural, one {{name} is removed} other {# addresses are removed}}',
      undone: /*i18n*/ '{count, plural, one {{name} is there again} other {# addresses are there again}}',
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
    icon: IconSourceCode,
    needs: ['extremities'],
    destructive: true,
    words: {
      will: /*i18n*/ '{count, plural, one {Of the forward extremities of {name} all but one are deleted. Other servers may see the room in another state from then on.} other {Of the forward extremities of # rooms all but one are deleted each. Other servers may see the rooms in another state from then on.}}',
      lost: /*i18n*/ 'They do not come back.',
      doing:
        /*i18n*/ '{count, plural, one {Deleting the extremities of {name}} other {Deleting the extremities of # rooms}}',
      done: /*i18n*/ '{count, plural, one {{name} has one forward extremity} other {# rooms have one forward extremity each}}',
    },
    async run({ server }, { roomId }) {
      return { detail: `${await deleteExtremities(server, roomId)} deleted` };
    },
  }),
];
