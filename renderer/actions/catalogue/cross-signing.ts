/** For who lost the keys to their encrypted messages, and can't prove to the server who they are. */
import { IconFingerprint } from '@tabler/icons-react';
import { allowCrossSigningReset } from '../../api/cross-signing.ts';
import { exactTime } from '../../components/time.ts';
import { action } from '../action.ts';

export const crossSigning = action<'user'>({
  id: 'allow-cross-signing-reset',
  kind: 'user',
  group: 'user',
  icon: IconFingerprint,
  localOnly: true,
  oneOnly: true,
  needs: ['crossSigningReset'],
  takesOver: true,
  applies: ({ user }) => !user?.deactivated,
  words: {
    will: /*i18n*/ 'For some minutes {name} can replace the cross-signing keys once, in any of their sessions, without the password. Be sure that it is they who ask for it. Some servers ask for it all the same.',
    lost: /*i18n*/ 'It can’t be taken back before it ends. The old keys don’t come back once they are replaced: others have to verify them anew.',
    doing: /*i18n*/ 'Allowing {name} a cross-signing reset',
    done: /*i18n*/ '{name} can reset cross-signing without the password',
  },
  async run({ server }, { userId }) {
    const until = await allowCrossSigningReset(server, userId);
    return { until, detail: `until ${exactTime(until)}` };
  },
});
