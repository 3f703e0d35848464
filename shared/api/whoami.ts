/** Whose token it is. Matrix specification, client-server API, "Current account information". */
import { type Static, Type } from 'typebox';
import { failures } from './common.ts';

export const WhoAmI = Type.Object({
  user_id: Type.String(),
  device_id: Type.Optional(Type.String()),
  is_guest: Type.Boolean(),
});
export type WhoAmI = Static<typeof WhoAmI>;

/** `GET …/account/whoami`. */
export const getWhoAmI = { response: { 200: WhoAmI, ...failures } };
