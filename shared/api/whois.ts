/** From where a user was last seen. Matrix specification, client-server API, "Server administration". */
import { type Static, Type } from 'typebox';
import { Dictionary, failures, Timestamp } from './common.ts';

export const WhoIs = Type.Object({
  user_id: Type.String(),
  devices: Dictionary(
    Type.Object({
      sessions: Type.Array(
        Type.Object({
          connections: Type.Array(
            Type.Object({ ip: Type.String(), last_seen: Timestamp, user_agent: Type.String() }),
          ),
        }),
      ),
    }),
  ),
});
export type WhoIs = Static<typeof WhoIs>;
export const getWhoIs = {
  params: Type.Object({ user_id: Type.String() }),
  response: { 200: WhoIs, ...failures },
};
