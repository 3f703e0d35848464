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
  quarantined:
    /*i18n*/ '{count, plural, one {The media in {name} are quarantined} other {The media in # rooms are quarantined}}',
  released:
    /*i18n*/ '{count, plural, one {The media in {name} can be seen again} other {The media in # rooms can be seen again}}',
};

export const mediaOfRooms = [
  action<'room'>({
    id: 'quarantine-room-media',
    kind: 'room',
    group: 'room',
    icon: IconPhotoOff,
    needs: ['quarantineRoom', 'roomMedia', 'unquarantine'],
    words: {
      will: /*i18n*/ '{count, plural, one {Nobody can open the pictures and files of {name} any more, here or in another room, until you release them.} other {Nobody can open the pictures and files of # rooms any more, in them or elsewhere, until you release them.}}',
      doing:
        /*i18n*/ '{count, plural, one {Quarantining the media of {name}} other {Quarantining the media of # rooms}}',
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
