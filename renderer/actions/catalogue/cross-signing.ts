/** For who lost the keys to their encrypted messages, and can't prove to the server who they are. */
import { IconFingerprint } from '@tabler/icons-react';
import { allowCrossSigningReset } from '../../api/cross-signing.ts';
import { exactTime } from '../../components/time.ts';
import { action } from '../action.ts';

export const crossSigning = action<'user'>({
  id: 'allow-cross-signing-reset',
  label: /*i18n*/ 'Allow cross-signing reset',
  hint: /*i18n*/ 'Allows one passwordless reset for a few minutes',
  kind: 'user',
  group: 'user',
  icon: IconFingerprint,
  localOnly: true,
  oneOnly: true,
  needs: ['crossSigningReset'],
  takesOver: true,
  applies: ({ user }) => !user?.deactivated,
  words: {
    will: /*i18n*/ 'Lets {name} replace their cross-signing keys once within minutes, without a password. Confirm they requested this. Some servers still ask for the password.',
    lost: /*i18n*/ "This can't be undone before it expires. Replaced keys are lost; others must verify again.",
    doing: /*i18n*/ 'Allowing cross-signing reset for {name}',
    done: /*i18n*/ 'Cross-signing reset allowed for {name}',
  },
  async run({ server }, { userId }) {
    const until = await allowCrossSigningReset(server, userId);
    return { until, detail: `until ${exactTime(until)}` };
  },
});
