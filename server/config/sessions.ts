/** How long sessions and their tokens are good. */
import { Type } from 'typebox';
import { ConfigurationError } from './configuration-error.ts';
import { Duration, milliseconds } from './duration.ts';
import { section } from './section.ts';

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
      /** In milliseconds; undefined for without end. */
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
