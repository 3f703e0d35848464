/** Presence of users. Matrix specification, client-server API, "Presence". */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, JsonObject, SafeInteger } from './common.ts';

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

/** Read receipts and read markers. Matrix specification, client-server API, "Receipts" and "Fully read markers". */

export const postReceipt = {
  params: Type.Object({ roomId: Type.String(), receiptType: Type.String(), eventId: Type.String() }),
  body: JsonObject,
  response: { 200: EmptyObject, ...failures },
};

const Place = Type.Optional(
  Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Event in the room' }),
);

export const postReadMarkers = {
  params: Type.Object({ roomId: Type.String() }),
  body: Type.Object(
    { 'm.fully_read': Place, 'm.read': Place, 'm.read.private': Place },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};

/** Typing. Matrix specification, client-server API, "Typing Notifications". */

export const putTyping = {
  params: Type.Object({ roomId: Type.String(), userId: Type.String() }),
  body: Type.Object(
    {
      typing: Type.Boolean(),
      timeout: Type.Optional({ ...SafeInteger, description: 'Timeout in milliseconds' }),
    },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};
