/** Deleting media that nobody opened for long, of everyone. Begun on its own screen, which counts beforehand. */
import { IconTrash } from '@tabler/icons-react';
import { deleteUnused, purgeCopies } from '../../api/media-changes.ts';
import { action } from '../action.ts';

const ofServer = {
  kind: 'server',
  group: 'server',
  icon: IconTrash,
  destructive: true,
  typed: true,
} as const;

export const cleanUps = [
  action<'server'>({
    ...ofServer,
    id: 'delete-unused-media',
    label: /*i18n*/ 'Delete unused media',
    hint: /*i18n*/ 'Deletes media not accessed recently',
    needs: ['deleteUnused'],
    words: {
      will: /*i18n*/ 'Deletes media not accessed recently from {name}.',
      lost: /*i18n*/ "This can't be undone. Messages no longer show deleted media.",
      doing: /*i18n*/ 'Deleting unused media on {name}',
      done: /*i18n*/ 'Unused media on {name} deleted',
    },
    /** Fields: `before` in milliseconds since the Unix epoch, `largerThan` in bytes, `keepProfiles`. */
    async run({ server }, _item, { fields }) {
      const [before, largerThan] = [Number(fields.before), Number(fields.largerThan)];
      const count = await deleteUnused(server, {
        before,
        largerThan,
        keepProfiles: fields.keepProfiles === true,
      });
      return {
        media: count,
        detail: `${count} media, not opened since ${dayIn(before)}, larger than ${largerThan} bytes`,
      };
    },
  }),
  action<'server'>({
    ...ofServer,
    id: 'purge-media-copies',
    label: /*i18n*/ 'Purge remote media cache',
    hint: /*i18n*/ 'Deletes media not accessed recently',
    needs: ['purgeCopies'],
    words: {
      will: /*i18n*/ 'Deletes remote media not accessed recently from {name}.',
      lost: /*i18n*/ "Media deleted on the origin server can't be restored.",
      doing: /*i18n*/ 'Purging the remote media cache on {name}',
      done: /*i18n*/ 'Remote media cache on {name} purged',
    },
    /** Fields: `before` in milliseconds since the Unix epoch. */
    async run({ server }, _item, { fields }) {
      const before = Number(fields.before);
      const count = await purgeCopies(server, before);
      return { media: count, detail: `${count} media, not opened since ${dayIn(before)}` };
    },
  }),
];

/** For the log, which is in no language. */
const dayIn = (time: number) => new Date(time).toISOString().slice(0, 10);
