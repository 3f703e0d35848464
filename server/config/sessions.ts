/** How long sessions and their tokens are good. */
import { Type } from 'typebox';
import { Duration, milliseconds } from './duration.ts';
import { section } from './section.ts';

const lifetime = (description: string) => Type.Optional(Duration({ description }));

export const sessions = section(
  {
    session_lifetime: lifetime('after how long a session ends; never without it'),
    nonrefreshable_access_token_lifetime: lifetime(
      'how long a token is good that nothing refreshes; as long as the session without it',
    ),
    refreshable_access_token_lifetime: Duration({
      default: '5m',
      description: 'how long a token is good that is refreshed',
    }),
    refresh_token_lifetime: lifetime(
      'how long a token can be refreshed, counted from the last time; as long as the session without it',
    ),
  },
  (settings) => ({
    /** In milliseconds; undefined for without end. */
    sessions: {
      lifetimeMs: ms(settings.session_lifetime),
      plainTokenMs: ms(settings.nonrefreshable_access_token_lifetime),
      refreshableTokenMs: milliseconds(settings.refreshable_access_token_lifetime),
      refreshTokenMs: ms(settings.refresh_token_lifetime),
    },
  }),
);

const ms = (duration: number | string | undefined) =>
  duration === undefined ? undefined : milliseconds(duration);
