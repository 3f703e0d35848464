/** What is done to everything that a user uploaded. */
import { IconPhotoCheck, IconPhotoOff, IconTrash } from '@tabler/icons-react';
import { Type } from 'typebox';
import { fits } from '../../../shared/fits.ts';
import { deleteMediaOfUser, mediaOfUser, quarantineOfUser } from '../../api/media-changes.ts';
import { action } from '../action.ts';
import { counted, release, releaseOwn } from './quarantine.ts';

const Addresses = Type.Array(Type.String());
const asAddresses = (kept: unknown) => (fits(Addresses, kept) ? kept : []);

const ofUser = {
  quarantined:
    /*i18n*/ '{count, plural, one {The media of {name} are quarantined} other {The media of # users are quarantined}}',
  released:
    /*i18n*/ '{count, plural, one {The media of {name} can be seen again} other {The media of # users can be seen again}}',
};

export const mediaOfUsers = [
  action<'user'>({
    id: 'quarantine-user-media',
    kind: 'user',
    group: 'user',
    icon: IconPhotoOff,
    localOnly: true,
    needs: ['quarantineUser', 'userMedia', 'unquarantine'],
    words: {
      will: /*i18n*/ '{count, plural, one {Nobody can open what {name} uploaded any more, until you release it.} other {Nobody can open what # users uploaded any more, until you release it.}}',
      doing:
        /*i18n*/ '{count, plural, one {Quarantining the media of {name}} other {Quarantining the media of # users}}',
      done: ofUser.quarantined,
      undone: ofUser.released,
    },
    async run({ server, first }, { userId }) {
      // What was in quarantine already stays there when this is undone.
      const open = await first(() => mediaOfUser(server, userId, false));
      const all = await quarantineOfUser(server, userId);
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
    kind: 'user',
    group: 'user',
    icon: IconPhotoCheck,
    localOnly: true,
    needs: ['quarantineUser', 'userMedia', 'unquarantine'],
    applies: ({ quarantined }) => quarantined !== false,
    words: {
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
      will: /*i18n*/ '{count, plural, one {Everything that {name} uploaded goes from the server, wherever it is shown, even if it is quarantined or protected.} other {Everything that # users uploaded goes from the server, wherever it is shown, even if it is quarantined or protected.}}',
      lost: /*i18n*/ 'They do not come back. Copies that other servers have stay there.',
      doing:
        /*i18n*/ '{count, plural, one {Deleting the media of {name}} other {Deleting the media of # users}}',
      done: /*i18n*/ '{count, plural, one {The media of {name} are deleted} other {The media of # users are deleted}}',
    },
    run: async ({ server }, { userId }) => counted(await deleteMediaOfUser(server, userId)),
  }),
];
