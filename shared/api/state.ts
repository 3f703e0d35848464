/** A room's state. Matrix specification, client-server API, "Getting events for a room". */
import { Type } from 'typebox';
import { failures, JsonObject } from './common.ts';
import { ClientEvent, EventId, SentBefore } from './events.ts';

const roomParams = { roomId: Type.String() };
const stateParams = { ...roomParams, eventType: Type.String() };

export const putState = {
  querystring: SentBefore,
  params: Type.Object({ ...stateParams, stateKey: Type.Optional(Type.String()) }),
  body: JsonObject,
  response: { 200: EventId, ...failures },
};

export const getState = {
  params: Type.Object(roomParams),
  response: { 200: Type.Array(ClientEvent), ...failures },
};

export const getStateEvent = {
  params: Type.Object({ ...stateParams, stateKey: Type.Optional(Type.String()) }),
  querystring: Type.Object({
    format: Type.Union([Type.Literal('content'), Type.Literal('event')], { default: 'content' }),
  }),
  // The state's content, or its event.
  response: { 200: JsonObject, ...failures },
};
