/** Whether people are there. Matrix specification, client-server API, "Presence". */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures } from './common.ts';

const params = Type.Object({ userId: Type.String() });

export const PresenceStatus = Type.Object({
  presence: Type.Enum(['online', 'unavailable', 'offline']),
  status_msg: Type.Optional(Type.String()),
  last_active_ago: Type.Optional(Type.Integer({ description: 'Milliseconds' })),
  currently_active: Type.Optional(Type.Boolean()),
});
export type PresenceStatus = Static<typeof PresenceStatus>;

export const getPresence = { params, response: { 200: PresenceStatus, ...failures } };
export const putPresence = {
  params,
  body: Type.Object(
    {
      presence: Type.Enum(['online', 'unavailable', 'offline']),
      status_msg: Type.Optional(Type.String({ maxLength: 2_000 })),
    },
    { additionalProperties: false },
  ),
  response: { 200: EmptyObject, ...failures },
};
