/** TURN servers for calls. */
import { Type } from 'typebox';
import { ConfigurationError } from './configuration-error.ts';
import { section } from './section.ts';
import { Duration, milliseconds } from './units.ts';

/** For clients; undefined without a TURN server. */
export type TurnConfig =
  | (Common & { sharedSecret: string })
  | (Common & { username: string; password: string })
  | undefined;

type Common = { uris: string[]; lifetimeMs: number; allowsGuests: boolean };

export const turn = section(
  {
    turn_uris: Type.Array(Type.String({ pattern: '^(turn|stun)s?:[^/]' }), {
      default: [],
      description: 'TURN servers for calls, such as `turn:turn.example.org?transport=udp`',
    }),
    turn_shared_secret: Type.Optional(
      Type.String({ minLength: 1, description: 'Secret shared with the TURN servers' }),
    ),
    turn_username: Type.Optional(Type.String({ description: 'User name for TURN, in place of the secret' })),
    turn_password: Type.Optional(Type.String({ description: 'Password of that TURN user' })),
    turn_user_lifetime: Duration({
      default: '1h',
      description: 'Lifetime of TURN credentials',
    }),
    turn_allow_guests: Type.Boolean({ default: true, description: 'Also gives guests TURN credentials' }),
  },
  (settings): { turn: TurnConfig } => {
    const { turn_uris: uris, turn_shared_secret: sharedSecret } = settings;
    const { turn_username: username, turn_password: password } = settings;
    if (uris.length === 0) return { turn: undefined };
    const common = {
      uris,
      lifetimeMs: milliseconds(settings.turn_user_lifetime),
      allowsGuests: settings.turn_allow_guests,
    };
    if (sharedSecret !== undefined) return { turn: { ...common, sharedSecret } };
    if (username !== undefined && password !== undefined) return { turn: { ...common, username, password } };
    throw new ConfigurationError(
      'turn_uris',
      'the TURN servers require a secret',
      'set turn_shared_secret, or turn_username and turn_password',
    );
  },
);
