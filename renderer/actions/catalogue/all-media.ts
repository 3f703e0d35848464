/** Actions on all media in a room or of a user. */
import { IconPhotoCheck, IconPhotoOff, IconTrash } from '@tabler/icons-react';
import { Type } from 'typebox';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { fits } from '../../../shared/fits.ts';
import { getRoomMedia } from '../../api/media.ts';
import {
  deleteUserMedia,
  quarantineRoomMedia,
  quarantineUserMedia,
  unquarantinedRoomMedia,
  userMediaUris,
} from '../../api/media-changes.ts';
import { action } from '../action.ts';
import { counted, release, releaseOwn } from './media.ts';

// Media of a user.

const Addresses = Type.Array(Type.String());
const asAddresses = (kept: unknown) => (fits(Addresses, kept) ? kept : []);

const ofUser = {
  quarantined: /*i18n*/ 'Media of {count, plural, one {{name}} other {# users}} quarantined',
  released: /*i18n*/ 'Media of {count, plural, one {{name}} other {# users}} removed from quarantine',
};

export const mediaOfUsers = [
  action<'user'>({
    id: 'quarantine-user-media',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Quarantine all media} other {Quarantine media of # users}}',
    hint: /*i18n*/ "Blocks access to the user's media",
    kind: 'user',
    group: 'user',
    icon: IconPhotoOff,
    localOnly: true,
    harms: true,
    needs: ['quarantineUser', 'userMedia', 'unquarantine'],
    words: {
      will: /*i18n*/ 'Blocks access to all media of {count, plural, one {{name}} other {# users}} until removed from quarantine.',
      doing: /*i18n*/ 'Quarantining media of {count, plural, one {{name}} other {# users}}',
      done: ofUser.quarantined,
      undone: ofUser.released,
    },
    async run({ server, first }, { userId }) {
      // The undo keeps media that was in quarantine before.
      const open = await first(() => userMediaUris(server, userId, false));
      const all = await quarantineUserMedia(server, userId);
      const own = Math.min(all, open.length);
      // Synapse quarantines by hash, and counts other users' copies.
      return {
        undo: open,
        media: own,
        detail: all > own ? `${own} media, ${all - own} identical files` : `${own} media`,
      };
    },
    undo: ({ server }, _item, kept) => release(server, asAddresses(kept), releaseOwn).then(() => undefined),
  }),
  action<'user'>({
    id: 'release-user-media',
    role: 'moderator',
    label:
      /*i18n*/ '{count, plural, one {Remove all media from quarantine} other {Remove media of # users from quarantine}}',
    hint: /*i18n*/ "Restores access to the user's media",
    kind: 'user',
    group: 'user',
    icon: IconPhotoCheck,
    localOnly: true,
    needs: ['quarantineUser', 'userMedia', 'unquarantine'],
    applies: ({ quarantined }) => quarantined !== false,
    words: {
      will: /*i18n*/ 'Removes all media of {count, plural, one {{name}} other {# users}} from quarantine.',
      doing: /*i18n*/ 'Removing media of {count, plural, one {{name}} other {# users}} from quarantine',
      done: ofUser.released,
    },
    run: async ({ server }, { userId }) =>
      counted(await release(server, await userMediaUris(server, userId, true))),
  }),
  action<'user'>({
    id: 'delete-user-media',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Delete all media} other {Delete all media of # users}}',
    hint: /*i18n*/ "Permanently deletes the user's media",
    kind: 'user',
    group: 'user',
    icon: IconTrash,
    localOnly: true,
    harms: true,
    needs: ['userMedia'],
    removesEvidence: true,
    destructive: true,
    typed: true,
    words: {
      will: /*i18n*/ 'Deletes all media of {count, plural, one {{name}} other {# users}} from the server, even if quarantined or protected.',
      lost: /*i18n*/ "This can't be undone. Copies on other servers remain.",
      doing: /*i18n*/ 'Deleting media of {count, plural, one {{name}} other {# users}}',
      done: /*i18n*/ 'Media of {count, plural, one {{name}} other {# users}} deleted',
    },
    run: async ({ server }, { userId }) => counted(await deleteUserMedia(server, userId)),
  }),
];

const ofRoom = {
  quarantined: /*i18n*/ 'Media in {count, plural, one {{name}} other {# rooms}} quarantined',
  released: /*i18n*/ 'Media in {count, plural, one {{name}} other {# rooms}} removed from quarantine',
};

export const mediaOfRooms = [
  action<'room'>({
    id: 'quarantine-room-media',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Quarantine room media} other {Quarantine media of # rooms}}',
    hint: /*i18n*/ "Blocks access to the room's media",
    kind: 'room',
    group: 'room',
    icon: IconPhotoOff,
    needs: ['quarantineRoom', 'roomMedia', 'unquarantine'],
    words: {
      will: /*i18n*/ 'Blocks access to media in {count, plural, one {{name}} other {# rooms}} everywhere until removed from quarantine.',
      doing: /*i18n*/ 'Quarantining media in {count, plural, one {{name}} other {# rooms}}',
      done: ofRoom.quarantined,
      undone: ofRoom.released,
    },
    async run({ server, first }, { roomId }) {
      // The undo keeps media that was in quarantine before.
      const open = await first(() => unquarantinedRoomMedia(server, roomId));
      return { ...(open && { undo: open }), ...counted(await quarantineRoomMedia(server, roomId)) };
    },
    async undo({ server }, _item, kept) {
      if (!fits(Addresses, kept)) {
        throw new ConnectionFailure(
          'refused',
          /*i18n*/ 'The earlier quarantine state is unknown. To restore everything, choose “Remove room media from quarantine”.',
        );
      }
      await release(server, kept, releaseOwn);
    },
  }),
  action<'room'>({
    id: 'release-room-media',
    role: 'moderator',
    label:
      /*i18n*/ '{count, plural, one {Remove room media from quarantine} other {Remove media of # rooms from quarantine}}',
    hint: /*i18n*/ "Restores access to the room's media",
    kind: 'room',
    group: 'room',
    icon: IconPhotoCheck,
    needs: ['quarantineRoom', 'roomMedia', 'unquarantine'],
    words: {
      will: /*i18n*/ "Removes all media in {count, plural, one {{name}} other {# rooms}} from quarantine. Encrypted events aren't covered.",
      doing: /*i18n*/ 'Removing media in {count, plural, one {{name}} other {# rooms}} from quarantine',
      done: ofRoom.released,
    },
    run: async ({ server }, { roomId }) => {
      const { local, remote } = await getRoomMedia(server, roomId);
      return counted(await release(server, [...local, ...remote]));
    },
  }),
];
