/** What is in rooms, as administrators see it. The reference homeserver's "Rooms API". */
import { Type } from 'typebox';
import { failures, JsonObject } from './common.ts';
import { ClientEvent } from './events.ts';
import {
  EventAtTime,
  EventAtTimeQuery,
  EventContext,
  eventsPerPage,
  MessagesPage,
  MessagesQuery,
} from './history.ts';

const roomParams = Type.Object({ room_id: Type.String() });

export const getRoomMembers = {
  params: roomParams,
  response: {
    200: Type.Object({ members: Type.Array(Type.String()), total: Type.Integer() }),
    ...failures,
  },
};

export const getRoomState = {
  params: roomParams,
  response: { 200: Type.Object({ state: Type.Array(ClientEvent) }), ...failures },
};

const limit = Type.Integer({ minimum: 0, default: eventsPerPage.default });

export const getRoomMessages = {
  params: roomParams,
  querystring: MessagesQuery,
  response: { 200: MessagesPage, ...failures },
};

export const getRoomContext = {
  params: Type.Object({ room_id: Type.String(), event_id: Type.String() }),
  querystring: Type.Object({ limit, filter: Type.Optional(Type.String()) }),
  response: { 200: EventContext, ...failures },
};

/** The event as it was sent, also where it was redacted since. */
export const fetchEvent = {
  params: Type.Object({ event_id: Type.String() }),
  response: { 200: Type.Object({ event: JsonObject }), ...failures },
};

export const getEventAtTime = {
  params: roomParams,
  querystring: EventAtTimeQuery,
  response: { 200: EventAtTime, ...failures },
};
