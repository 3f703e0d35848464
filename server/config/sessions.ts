/** How long sessions and their tokens are good. */
import { Type } from 'typebox';
import { ConfigurationError } from './configuration-error.ts';
import { Duration, milliseconds } from './duration.ts';
import { section } from './section.ts';

const lifetime = (description: string) => Type.Optional(Duration({ description }));

export const sessions = section(
  {
    session_lifetime: lifetime('after how long a session ends; never without it'),
    nonrefreshable_access_token_lifetime: lifetime(
      'how long a token is good that nothing refreshes; as long as the session without it',
    ),
    refreshable_access_token_lifetime: lifetime(
      'how long a token is good that is refreshed: `5m` by default, but no longer than the session',
    ),
    refresh_token_lifetime: lifetime(
      'how long a token can be refreshed, counted from the last time; as long as the session without it',
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
  new ConfigurationError(
    name,
    'it is longer than session_lifetime, and no token outlasts its session',
    'make it as long or shorter',
  );
