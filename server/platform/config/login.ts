/** Settings for registration, login tokens and sessions. */
import { type Static, type TObject, Type } from 'typebox';
import { ConfigurationError } from './configuration-error.ts';
import { section } from './section.ts';
import { Duration, milliseconds } from './units.ts';

const settings = {
  registration_shared_secret: Type.Optional(
    Type.String({ minLength: 1, description: 'Shared secret that lets admin tools register users' }),
  ),
  enable_registration: Type.Boolean({
    default: false,
    description: 'Allows registration; needs one of the next two settings',
  }),
  registration_requires_token: Type.Boolean({
    default: false,
    description: 'Requires a registration token',
  }),
  enable_registration_without_verification: Type.Boolean({
    default: false,
    description: 'Allows registration without any verification',
  }),
  allow_guest_access: Type.Boolean({
    default: false,
    description: 'Allows guest access: rooms that permit it can be read and joined without an account',
  }),
  // Only declared to refuse them: this server has no such checks.
  registrations_require_3pid: Type.Array(Type.String(), { default: [] }),
  enable_registration_captcha: Type.Boolean({ default: false }),
};

export const registration = section(settings, (written) => {
  refuseOpenRegistration(written);
  return {
    registration: {
      enabled: written.enable_registration,
      requiresToken: written.registration_requires_token,
      /** For registration by admin tools; undefined if disabled. */
      sharedSecret: written.registration_shared_secret,
    },
    allowsGuests: written.allow_guest_access,
  };
});

function refuseOpenRegistration(written: Static<TObject<typeof settings>>): void {
  if (!written.enable_registration) return;
  const missing =
    (written.registrations_require_3pid.length > 0 && 'registrations_require_3pid') ||
    (written.enable_registration_captcha && 'enable_registration_captcha');
  if (missing) {
    throw new ConfigurationError(
      missing,
      'unsupported registration check',
      'remove it and set enable_registration to false or registration_requires_token to true',
    );
  }
  if (!written.registration_requires_token && !written.enable_registration_without_verification) {
    throw new ConfigurationError(
      'enable_registration',
      'registration would be open to anyone without verification',
      'set it to false, set registration_requires_token to true or, if open registration is intended, set enable_registration_without_verification to true',
    );
  }
}

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
    /** Undefined if disabled. */
    loginViaExistingSession: enabled
      ? { requireUiAuth: require_ui_auth, tokenTimeoutMs: milliseconds(token_timeout) }
      : undefined,
  }),
);

const lifetime = (description: string) => Type.Optional(Duration({ description }));

export const sessions = section(
  {
    session_lifetime: lifetime('Lifetime of a session; unlimited if not set'),
    nonrefreshable_access_token_lifetime: lifetime(
      'Lifetime of access tokens without a refresh token; that of the session if not set',
    ),
    refreshable_access_token_lifetime: lifetime(
      "Lifetime of access tokens with a refresh token; `5m` if not set, or the session's if shorter",
    ),
    refresh_token_lifetime: lifetime(
      'Lifetime of a refresh token, renewed with each refresh; that of the session if not set',
    ),
  },
  (settings) => {
    const lifetimeMs = ms(settings.session_lifetime);
    const within = (name: keyof typeof settings) => {
      const span = ms(settings[name]);
      if (span !== undefined && lifetimeMs !== undefined && span > lifetimeMs) throw tooLong(name);
      return span;
    };
    return {
      /** In milliseconds; undefined for unlimited. */
      sessions: {
        lifetimeMs,
        plainTokenMs: within('nonrefreshable_access_token_lifetime'),
        refreshableTokenMs: within('refreshable_access_token_lifetime') ?? milliseconds('5m'),
        refreshTokenMs: within('refresh_token_lifetime'),
      },
    };
  },
);

const ms = (duration: number | string | undefined) =>
  duration === undefined ? undefined : milliseconds(duration);

const tooLong = (name: string) =>
  new ConfigurationError(name, 'longer than session_lifetime', 'set it to session_lifetime or less');
