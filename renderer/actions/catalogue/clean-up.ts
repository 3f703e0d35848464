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
    needs: ['deleteUnused'],
    words: {
      will: /*i18n*/ 'What nobody opened for long is deleted from {name}.',
      lost: /*i18n*/ 'It does not come back. Messages that show it show nothing then.',
      doing: /*i18n*/ 'Deleting the unused uploads of {name}',
      done: /*i18n*/ 'The unused uploads of {name} are deleted',
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
    needs: ['purgeCopies'],
    words: {
      will: /*i18n*/ 'The copies of other servers’ media that nobody opened for long are deleted from {name}.',
      lost: /*i18n*/ 'What its own server no longer has does not come back.',
      doing: /*i18n*/ 'Deleting the unused copies on {name}',
      done: /*i18n*/ 'The unused copies on {name} are deleted',
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
