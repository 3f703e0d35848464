/** What is done to every picture and file in a room. */
import { IconPhotoCheck, IconPhotoOff } from '@tabler/icons-react';
import { Type } from 'typebox';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { fits } from '../../../shared/fits.ts';
import { mediaOfRoom } from '../../api/media.ts';
import { openMediaOfRoom, quarantineOfRoom } from '../../api/media-changes.ts';
import { action } from '../action.ts';
import { counted, release, releaseOwn } from './quarantine.ts';

const Addresses = Type.Array(Type.String());

const ofRoom = {
  quarantined: /*i18n*/ 'Media in {count, plural, one {{name}} other {# rooms}} quarantined',
  released: /*i18n*/ 'Media in {count, plural, one {{name}} other {# rooms}} removed from quarantine',
};

export const mediaOfRooms = [
  action<'room'>({
    id: 'quarantine-room-media',
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
      // What was in quarantine already stays there when this is undone.
      const open = await first(() => openMediaOfRoom(server, roomId));
      return { ...(open && { undo: open }), ...counted(await quarantineOfRoom(server, roomId)) };
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
    label:
      /*i18n*/ '{count, plural, one {Remove room media from quarantine} other {Remove media of # rooms from quarantine}}',
    hint: /*i18n*/ 'Restores access to all quarantined media',
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
      const { local, remote } = await mediaOfRoom(server, roomId);
      return counted(await release(server, [...local, ...remote]));
    },
  }),
];
