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
    will: /*i18n*/ '{count, plural, one {The server forgets how long it wanted to wait for {name}, and tries it at once.} other {The server forgets how long it wanted to wait for these # servers, and tries them at once.}}',
    doing: /*i18n*/ '{count, plural, one {Trying {name} again} other {Trying # servers again}}',
    done: /*i18n*/ '{count, plural, one {{name} is tried again} other {# servers are tried again}}',
  },
  async run({ server }, { destination }) {
    // Who acts on other servers has their screen open, and this with it.
    const { resetDestination } = await import('../../api/federation.ts');
    await resetDestination(server, destination);
    return { detail: destination };
  },
});
