import { IconPlugConnected } from '@tabler/icons-react';
import { action } from '../action.ts';

export const resetConnection = action<'destination'>({
  id: 'reset-destination',
  kind: 'destination',
  group: 'server',
  icon: IconPlugConnected,
  key: 't',
  usual: true,
  needs: ['destinations'],
  words: {
    will: /*i18n*/ 'Skips the retry delay for {count, plural, one {{name}} other {# servers}}.',
    doing: /*i18n*/ 'Retrying {count, plural, one {{name}} other {# servers}}',
    done: /*i18n*/ 'Retrying {count, plural, one {{name}} other {# servers}}',
  },
  async run({ server }, { destination }) {
    // Who acts on other servers has their screen open, and this with it.
    const { resetDestination } = await import('../../api/federation.ts');
    await resetDestination(server, destination);
    return { detail: destination };
  },
});
