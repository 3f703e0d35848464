/** Keeping media away from everyone, giving them back, protecting them from that, and deleting them. */
import { i18n } from '@lingui/core';
import { IconPhotoCheck, IconPhotoOff, IconShieldCheck, IconShieldOff, IconTrash } from '@tabler/icons-react';
import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { mediaOfRoom, mediumOf } from '../../api/media.ts';
import {
  deleteMediaOfUser,
  deleteMedium,
  isProtected,
  mediaOfUser,
  openMediaOfRoom,
  quarantineOfRoom,
  quarantineOfUser,
  setProtected,
  setQuarantined,
} from '../../api/media-changes.ts';
import { NoSuchEndpoint, NotFound } from '../../transport/refusal.ts';
import type { Server } from '../../transport/server.ts';
import { action } from '../action.ts';
import { changedSince } from '../changed-since.ts';

const Addresses = Type.Array(Type.String());
const atOnce = 4;

/** Who keeps an upload in quarantine; null for nobody, undefined where the server doesn't tell. */
const keptBy = (server: Server, uri: string): Promise<string | null | undefined> =>
  mediumOf(server, uri).then(
    ({ quarantined_by: by }) => by ?? null,
    (error) => {
      if (error instanceof NotFound || error instanceof NoSuchEndpoint) return undefined;
      throw error;
    },
  );

/** Takes one's own quarantine back. @throws ConnectionFailure where a colleague keeps it by now */
async function releaseOwn(server: Server, uri: string): Promise<void> {
  const by = await keptBy(server, uri);
  if (by === null) return;
  if (by !== undefined && by !== server.connection.userId) throw changedSince();
  await setQuarantined(server, uri, false);
}

async function releaseAny(server: Server, uri: string): Promise<void> {
  await setQuarantined(server, uri, false);
}

/** Releases uploads; the first refusal ends it. @returns how many */
async function release(server: Server, uris: readonly string[], one = releaseAny): Promise<number> {
  const queue = [...uris];
  const work = async () => {
    for (let uri = queue.shift(); uri !== undefined; uri = queue.shift()) {
      await one(server, uri);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return uris.length;
}

/** A server answers well for what is protected, too, and does nothing. */
async function quarantine(server: Server, uri: string) {
  if (await isProtected(server, uri)) {
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'It is protected from quarantine: lift its protection first.',
    );
  }
  await setQuarantined(server, uri, true);
}

const asAddresses = (kept: unknown) => (Check(Addresses, kept) ? kept : []);
const idOf = (uri: string) => uri.slice(uri.lastIndexOf('/') + 1);
const counted = (media: number) => ({ media, detail: `${media} media` });

const one = {
  quarantined: /*i18n*/ '{count, plural, one {The media is quarantined} other {# media are quarantined}}',
  released: /*i18n*/ '{count, plural, one {The media can be seen again} other {# media can be seen again}}',
};
const safe = {
  done: /*i18n*/ '{count, plural, one {The media is protected from quarantine} other {# media are protected from quarantine}}',
  lifted:
    /*i18n*/ '{count, plural, one {The media can be quarantined again} other {# media can be quarantined again}}',
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
    applies: ({ medium }) => !medium?.quarantined && !medium?.isProtected,
    words: {
      hint: /*i18n*/ 'Nobody can open it',
      will: /*i18n*/ '{count, plural, one {Nobody can open this picture or file any more, until you release it.} other {Nobody can open these # pictures and files any more, until you release them.}}',
      doing: /*i18n*/ '{count, plural, one {Quarantining the media} other {Quarantining # media}}',
      done: one.quarantined,
      undone: one.released,
    },
    async run({ server }, { uri }) {
      const unchanged = Boolean(await keptBy(server, uri));
      await quarantine(server, uri);
      return { detail: uri, unchanged };
    },
    undo: ({ server }, { uri }) => releaseOwn(server, uri),
  }),
  action<'media'>({
    id: 'release-media',
    kind: 'media',
    group: 'event',
    icon: IconPhotoCheck,
    key: 'q',
    needs: ['quarantine', 'unquarantine'],
    applies: ({ medium }) => medium?.quarantined !== false,
    words: {
      hint: /*i18n*/ 'Out of quarantine',
      will: /*i18n*/ '{count, plural, one {This picture or file can be opened again.} other {These # pictures and files can be opened again.}}',
      doing: /*i18n*/ '{count, plural, one {Releasing the media} other {Releasing # media}}',
      done: one.released,
      undone: one.quarantined,
    },
    async run({ server }, { uri }) {
      const unchanged = (await keptBy(server, uri)) === null;
      await setQuarantined(server, uri, false);
      return { detail: uri, unchanged };
    },
    async undo({ server }, { uri }) {
      // In a colleague's quarantine by now, it stays in that.
      if (!(await keptBy(server, uri))) await setQuarantined(server, uri, true);
    },
  }),
  action<'media'>({
    id: 'protect-media',
    kind: 'media',
    group: 'event',
    icon: IconShieldCheck,
    key: 'p',
    localOnly: true,
    needs: ['protect', 'unprotect'],
    applies: ({ medium }) => medium?.isProtected === false,
    words: {
      hint: /*i18n*/ 'From quarantine, by whatever way',
      will: /*i18n*/ '{count, plural, one {This picture or file can not be quarantined any more, neither by itself nor with the media of a user or room.} other {These # pictures and files can not be quarantined any more, neither by themselves nor with the media of a user or room.}}',
      doing: /*i18n*/ '{count, plural, one {Protecting the media} other {Protecting # media}}',
      done: safe.done,
      undone: safe.lifted,
    },
    foresee: async (server, { uri }) => {
      const medium = await mediumOf(server, uri).catch(() => undefined);
      if (!medium?.quarantined_by) return { said: [] };
      return { said: [i18n.t('It is in quarantine now, and stays there until it is released.')] };
    },
    async run({ server }, { uri }) {
      const unchanged = await isProtected(server, uri);
      await setProtected(server, idOf(uri), true);
      return { detail: uri, unchanged };
    },
    undo: ({ server }, { uri }) => setProtected(server, idOf(uri), false).then(() => undefined),
  }),
  action<'media'>({
    id: 'unprotect-media',
    kind: 'media',
    group: 'event',
    icon: IconShieldOff,
    key: 'p',
    localOnly: true,
    needs: ['protect', 'unprotect'],
    applies: ({ medium }) => medium?.isProtected === true,
    words: {
      hint: /*i18n*/ 'It can be quarantined again',
      will: /*i18n*/ '{count, plural, one {This picture or file can be quarantined again.} other {These # pictures and files can be quarantined again.}}',
      doing:
        /*i18n*/ '{count, plural, one {Lifting the protection} other {Lifting the protection of # media}}',
      done: safe.lifted,
      undone: safe.done,
    },
    run: ({ server }, { uri }) => setProtected(server, idOf(uri), false).then(() => ({ detail: uri })),
    undo: ({ server }, { uri }) => setProtected(server, idOf(uri), true).then(() => undefined),
  }),
  action<'media'>({
    id: 'delete-media',
    kind: 'media',
    group: 'event',
    icon: IconTrash,
    localOnly: true,
    needs: ['medium'],
    destructive: true,
    typed: true,
    words: {
      hint: /*i18n*/ 'From this server, for good',
      will: /*i18n*/ '{count, plural, one {This picture or file goes from the server, wherever it is shown, even if it is quarantined or protected.} other {These # pictures and files go from the server, wherever they are shown, even if they are quarantined or protected.}}',
      lost: /*i18n*/ 'They do not come back. Copies that other servers have stay there.',
      doing: /*i18n*/ '{count, plural, one {Deleting the media} other {Deleting # media}}',
      done: /*i18n*/ '{count, plural, one {The media is deleted} other {# media are deleted}}',
    },
    run: ({ server }, { uri }) => deleteMedium(server, uri).then(() => ({ detail: uri })),
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
      return { undo: open, ...counted(await quarantineOfUser(server, userId)) };
    },
    undo: ({ server }, _item, kept) => release(server, asAddresses(kept), releaseOwn).then(() => undefined),
  }),
  action<'user'>({
    id: 'release-user-media',
    kind: 'user',
    group: 'user',
    icon: IconPhotoCheck,
    localOnly: true,
    needs: ['quarantineUser', 'userMedia', 'unquarantine'],
    applies: ({ quarantined }) => quarantined !== false,
    words: {
      hint: /*i18n*/ 'Out of quarantine, whoever put it there',
      will: /*i18n*/ '{count, plural, one {Everything that {name} uploaded can be opened again, whoever put it in quarantine.} other {Everything that # users uploaded can be opened again, whoever put it in quarantine.}}',
      doing:
        /*i18n*/ '{count, plural, one {Releasing the media of {name}} other {Releasing the media of # users}}',
      done: ofUser.released,
    },
    run: async ({ server }, { userId }) =>
      counted(await release(server, await mediaOfUser(server, userId, true))),
  }),
  action<'user'>({
    id: 'delete-user-media',
    kind: 'user',
    group: 'user',
    icon: IconTrash,
    localOnly: true,
    needs: ['userMedia'],
    destructive: true,
    typed: true,
    words: {
      hint: /*i18n*/ 'Everything they uploaded, for good',
      will: /*i18n*/ '{count, plural, one {Everything that {name} uploaded goes from the server, wherever it is shown, even if it is quarantined or protected.} other {Everything that # users uploaded goes from the server, wherever it is shown, even if it is quarantined or protected.}}',
      lost: /*i18n*/ 'They do not come back. Copies that other servers have stay there.',
      doing:
        /*i18n*/ '{count, plural, one {Deleting the media of {name}} other {Deleting the media of # users}}',
      done: /*i18n*/ '{count, plural, one {The media of {name} are deleted} other {The media of # users are deleted}}',
    },
    run: async ({ server }, { userId }) => counted(await deleteMediaOfUser(server, userId)),
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
      return { ...(open && { undo: open }), ...counted(await quarantineOfRoom(server, roomId)) };
    },
    async undo({ server }, _item, kept) {
      if (!Check(Addresses, kept)) {
        throw new ConnectionFailure(
          'refused',
          /*i18n*/ 'This server does not say what was in quarantine before. To release everything in the room, choose that from the menu.',
        );
      }
      await release(server, kept, releaseOwn);
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
    run: async ({ server }, { roomId }) => {
      const { local, remote } = await mediaOfRoom(server, roomId);
      return counted(await release(server, [...local, ...remote]));
    },
  }),
];
