import { IconTrash } from '@tabler/icons-react';
import { action } from '../action.ts';

export const deleteRegistrationToken = action<'token'>({
  id: 'delete-token',
  kind: 'token',
  group: 'server',
  icon: IconTrash,
  key: 'Delete',
  usual: true,
  needs: [],
  destructive: true,
  words: {
    will: /*i18n*/ '{count, plural, one {Nobody can register with {name} any more; who did stays.} other {Nobody can register with these # tokens any more; who did stays.}}',
    lost: /*i18n*/ 'A deleted token does not come back.',
    doing: /*i18n*/ '{count, plural, one {Deleting {name}} other {Deleting # tokens}}',
    done: /*i18n*/ '{count, plural, one {{name} is deleted} other {# tokens are deleted}}',
  },
  async run({ server }, { token }) {
    // Who deletes tokens has their screen open, and this with it.
    const { deleteToken } = await import('../../api/registration-tokens.ts');
    await deleteToken(server, token);
    return { detail: token };
  },
});
