/** Events, and sending them. Matrix specification, client-server API, "Events". */
import { type Static, Type } from 'typebox';
import { failures, JsonObject } from './common.ts';

const roomParams = { roomId: Type.String() };
const eventParams = { ...roomParams, eventId: Type.String() };
const stateParams = { ...roomParams, eventType: Type.String() };

/** An event as clients get it. */
export const ClientEvent = Type.Object(
  {
    content: JsonObject,
    event_id: Type.String(),
    origin_server_ts: Type.Integer(),
    room_id: Type.String(),
    sender: Type.String(),
    state_key: Type.Optional(Type.String()),
    type: Type.String(),
    unsigned: JsonObject,
  },
  { additionalProperties: true },
);
export type ClientEvent = Static<typeof ClientEvent> & Record<string, unknown>;

export const EventId = Type.Object({ event_id: Type.String() });

/** What an application service may say of an event that it sends. Application service API, "Timestamp massaging". */
export const SentBefore = Type.Object({
  ts: Type.Optional(Type.Integer({ minimum: 0, description: 'Milliseconds since the Unix epoch' })),
});

export const sendEvent = {
  querystring: SentBefore,
  params: Type.Object({ ...stateParams, txnId: Type.String() }),
  body: JsonObject,
  response: { 200: EventId, ...failures },
};

export const sendEventOnce = {
  querystring: SentBefore,
  params: Type.Object(stateParams),
  body: JsonObject,
  response: { 200: EventId, ...failures },
};

export const redactEvent = {
  params: Type.Object({ ...eventParams, txnId: Type.String() }),
  body: JsonObject,
  response: { 200: EventId, ...failures },
};

export const redactEventOnce = {
  params: Type.Object(eventParams),
  body: Type.Optional(JsonObject),
  response: { 200: EventId, ...failures },
};
