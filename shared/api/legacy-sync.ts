/** What older clients ask for instead of `/sync`. Matrix specification, client-server API, deprecated endpoints. */
import { Type } from 'typebox';
import { failures, JsonObject } from './common.ts';
import { ClientEvent } from './events.ts';

const milliseconds = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 });
const limit = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 10 });

export const getEvents = {
  querystring: Type.Object({
    from: Type.Optional(Type.String({ description: '`end` of the last response; default: now' })),
    timeout: milliseconds,
    room_id: Type.Optional(Type.String()),
  }),
  response: {
    200: Type.Object({ chunk: Type.Array(JsonObject), start: Type.String(), end: Type.String() }),
    ...failures,
  },
};

export const getEventAlone = {
  params: Type.Object({ eventId: Type.String() }),
  response: { 200: ClientEvent, ...failures },
};

const LegacyRoom = Type.Object(
  {
    room_id: Type.String(),
    membership: Type.Optional(Type.String({ description: 'Omitted for a peeked room' })),
  },
  { additionalProperties: true },
);

export const getInitialSync = {
  querystring: Type.Object({ limit, archived: Type.Boolean({ default: false }) }),
  response: {
    200: Type.Object({
      end: Type.String(),
      rooms: Type.Array(LegacyRoom),
      presence: Type.Array(JsonObject),
      receipts: Type.Array(JsonObject),
      account_data: Type.Array(JsonObject),
    }),
    ...failures,
  },
};

export const getRoomInitialSync = {
  params: Type.Object({ roomId: Type.String() }),
  querystring: Type.Object({ limit }),
  response: { 200: LegacyRoom, ...failures },
};
