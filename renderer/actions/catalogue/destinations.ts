import { IconPlugConnected } from '@tabler/icons-react';
import { resetDestination } from '../../api/federation.ts';
import { action } from '../action.ts';

export const resetConnection = action<'destination'>({
  id: 'reset-destination',
  label: /*i18n*/ '{count, plural, one {Retry now} other {Retry # servers now}}',
  hint: /*i18n*/ 'Skips the retry delay',
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
    await resetDestination(server, destination);
    return { detail: destination };
  },
});
