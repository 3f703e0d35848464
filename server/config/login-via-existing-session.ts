/** One-time tokens with which who is logged in can log in elsewhere. */
import { Type } from 'typebox';
import { Duration, milliseconds } from './duration.ts';
import { section } from './section.ts';

export const loginViaExistingSession = section(
  {
    login_via_existing_session: Type.Object(
      {
        enabled: Type.Boolean({
          default: false,
          description: 'Lets signed-in users get a one-time token that signs in another device',
        }),
        require_ui_auth: Type.Boolean({
          default: true,
          description: 'Asks for the password before issuing that token',
        }),
        token_timeout: Duration({ default: '2m', description: 'Lifetime of that token' }),
      },
      { default: {}, additionalProperties: false },
    ),
  },
  ({ login_via_existing_session: { enabled, require_ui_auth, token_timeout } }) => ({
    /** Undefined where it is off. */
    loginViaExistingSession: enabled
      ? { requireUiAuth: require_ui_auth, tokenTimeoutMs: milliseconds(token_timeout) }
      : undefined,
  }),
);
