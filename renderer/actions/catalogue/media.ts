/** Keeping media away from everyone, and giving them back. */
import { IconPhotoCheck, IconPhotoOff } from '@tabler/icons-react';
import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import { ConnectionFailure } from '../../../shared/connection.ts';
import {
  mediaOfRoom,
  mediaOfUser,
  openMediaOfRoom,
  quarantineOfRoom,
  quarantineOfUser,
  setQuarantined,
} from '../../api/media-changes.ts';
import type { Server } from '../../transport/server.ts';
import { action } from '../action.ts';

const Addresses = Type.Array(Type.String());
const atOnce = 4;

/** Releases uploads; the first refusal ends it. @returns how many */
async function release(server: Server, uris: readonly string[]): Promise<number> {
  const queue = [...uris];
  const work = async () => {
    for (let uri = queue.shift(); uri !== undefined; uri = queue.shift()) {
      await setQuarantined(server, uri, false);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return uris.length;
}

const asAddresses = (kept: unknown) => (Check(Addresses, kept) ? kept : []);
const detail = (count: number) => `${count} media`;

const one = {
  quarantined: /*i18n*/ '{count, plural, one {The media is quarantined} other {# media are quarantined}}',
  released: /*i18n*/ '{count, plural, one {The media can be seen again} other {# media can be seen again}}',
};
const ofUser = {
  quarantined:
    /*i18n*/ '{count, plural, one {The media of {name} are quarantined} other {The media of # users are quarantined}}',
  released:
    /*i18n*/ '{count, plural, one {The media of {name} can be seen again} other {The media of # users can be seen again}}',
};
const ofRoom = {
  quarantined:
    /*i18n*/ '{count, plural, one {The media in {name} are quarantined} other {The media in # rooms are quarantined}}',
  released:
    /*i18n*/ '{count, plural, one {The media in {name} can be seen again} other {The media in # rooms can be seen again}}',
};

export const media = [
  action<'media'>({
    id: 'quarantine-media',
    kind: 'media',
    group: 'event',
    icon: IconPhotoOff,
    key: 'q',
    needs: ['quarantine', 'unquarantine'],
    words: {
      hint: /*i18n*/ 'Nobody can open it',
      will: /*i18n*/ '{count, plural, one {Nobody can open this picture or file any more, until you release it.} other {Nobody can open these # pictures and files any more, until you release them.}}',
      doing: /*i18n*/ '{count, plural, one {Quarantining the media} other {Quarantining # media}}',
      done: one.quarantined,
      undone: one.released,
    },
    run: ({ server }, { uri }) => setQuarantined(server, uri, true).then(() => ({ detail: uri })),
    undo: ({ server }, { uri }) => setQuarantined(server, uri, false).then(() => undefined),
  }),
  action<'media'>({
    id: 'release-media',
    kind: 'media',
    group: 'event',
    icon: IconPhotoCheck,
    needs: ['quarantine', 'unquarantine'],
    words: {
      hint: /*i18n*/ 'Out of quarantine',
      will: /*i18n*/ '{count, plural, one {This picture or file can be opened again.} other {These # pictures and files can be opened again.}}',
      doing: /*i18n*/ '{count, plural, one {Releasing the media} other {Releasing # media}}',
      done: one.released,
      undone: one.quarantined,
    },
    run: ({ server }, { uri }) => setQuarantined(server, uri, false).then(() => ({ detail: uri })),
    undo: ({ server }, { uri }) => setQuarantined(server, uri, true).then(() => undefined),
  }),
  action<'user'>({
    id: 'quarantine-user-media',
    kind: 'user',
    group: 'user',
    icon: IconPhotoOff,
    localOnly: true,
    needs: ['quarantineUser', 'userMedia', 'unquarantine'],
    words: {
      hint: /*i18n*/ 'Everything they uploaded',
      will: /*i18n*/ '{count, plural, one {Nobody can open what {name} uploaded any more, until you release it.} other {Nobody can open what # users uploaded any more, until you release it.}}',
      doing:
        /*i18n*/ '{count, plural, one {Quarantining the media of {name}} other {Quarantining the media of # users}}',
      done: ofUser.quarantined,
      undone: ofUser.released,
    },
    async run({ server }, { userId }) {
      // What was in quarantine already stays there when this is undone.
      const open = await mediaOfUser(server, userId, false);
      return { undo: open, detail: detail(await quarantineOfUser(server, userId)) };
    },
    undo: ({ server }, _item, kept) => release(server, asAddresses(kept)).then(() => undefined),
  }),
  action<'user'>({
    id: 'release-user-media',
    kind: 'user',
    group: 'user',
    icon: IconPhotoCheck,
    localOnly: true,
    needs: ['quarantineUser', 'userMedia', 'unquarantine'],
    words: {
      hint: /*i18n*/ 'Out of quarantine, whoever put it there',
      will: /*i18n*/ '{count, plural, one {Everything that {name} uploaded can be opened again, whoever put it in quarantine.} other {Everything that # users uploaded can be opened again, whoever put it in quarantine.}}',
      doing:
        /*i18n*/ '{count, plural, one {Releasing the media of {name}} other {Releasing the media of # users}}',
      done: ofUser.released,
    },
    run: async ({ server }, { userId }) => ({
      detail: detail(await release(server, await mediaOfUser(server, userId, true))),
    }),
  }),
  action<'room'>({
    id: 'quarantine-room-media',
    kind: 'room',
    group: 'room',
    icon: IconPhotoOff,
    needs: ['quarantineRoom', 'roomMedia', 'unquarantine'],
    words: {
      hint: /*i18n*/ 'Every picture and file in it',
      will: /*i18n*/ '{count, plural, one {Nobody can open the pictures and files of {name} any more, here or in another room, until you release them.} other {Nobody can open the pictures and files of # rooms any more, in them or elsewhere, until you release them.}}',
      doing:
        /*i18n*/ '{count, plural, one {Quarantining the media of {name}} other {Quarantining the media of # rooms}}',
      done: ofRoom.quarantined,
      undone: ofRoom.released,
    },
    async run({ server }, { roomId }) {
      // What was in quarantine already stays there when this is undone.
      const open = await openMediaOfRoom(server, roomId);
      return { ...(open && { undo: open }), detail: detail(await quarantineOfRoom(server, roomId)) };
    },
    async undo({ server }, _item, kept) {
      if (!Check(Addresses, kept)) {
        throw new ConnectionFailure(
          'refused',
          /*i18n*/ 'This server does not say what was in quarantine before. To release everything in the room, choose that from the menu.',
        );
      }
      await release(server, kept);
    },
  }),
  action<'room'>({
    id: 'release-room-media',
    kind: 'room',
    group: 'room',
    icon: IconPhotoCheck,
    needs: ['quarantineRoom', 'roomMedia', 'unquarantine'],
    words: {
      hint: /*i18n*/ 'Out of quarantine, whoever put it there',
      will: /*i18n*/ '{count, plural, one {Every picture and file of {name} can be opened again, whoever put it in quarantine. What its encrypted events hold can not be known.} other {Every picture and file of # rooms can be opened again, whoever put it in quarantine. What their encrypted events hold can not be known.}}',
      doing:
        /*i18n*/ '{count, plural, one {Releasing the media of {name}} other {Releasing the media of # rooms}}',
      done: ofRoom.released,
    },
    run: async ({ server }, { roomId }) => ({
      detail: detail(await release(server, await mediaOfRoom(server, roomId))),
    }),
  }),
];
