/** Account data. Matrix specification, client-server API, "Client Config". */
import { Type } from 'typebox';
import { Dictionary, EmptyObject, failures, JsonObject } from './common.ts';

const global = Type.Object({ userId: Type.String(), type: Type.String() });
const ofRoom = Type.Object({ userId: Type.String(), roomId: Type.String(), type: Type.String() });

export const getAccountData = { params: global, response: { 200: JsonObject, ...failures } };
export const putAccountData = {
  params: global,
  body: JsonObject,
  response: { 200: EmptyObject, ...failures },
};
export const getRoomAccountData = { params: ofRoom, response: { 200: JsonObject, ...failures } };
export const putRoomAccountData = {
  params: ofRoom,
  body: JsonObject,
  response: { 200: EmptyObject, ...failures },
};

/** A user's account data, for server admins. Synapse's "Account Data". */
export const getAllAccountData = {
  params: Type.Object({ user_id: Type.String() }),
  response: {
    200: Type.Object({
      account_data: Type.Object({
        global: Dictionary(JsonObject),
        rooms: Dictionary(Dictionary(JsonObject)),
      }),
    }),
    ...failures,
  },
};

/** Tags of rooms. Matrix specification, client-server API, "Room Tagging". */

const tags = Type.Object({ userId: Type.String(), roomId: Type.String() });
const tag = Type.Object({ userId: Type.String(), roomId: Type.String(), tag: Type.String() });

/** Clients choose the names, so `Type.Record`, which has a pattern for keys, wouldn't accept all. */
const Tags = Type.Unsafe<Record<string, JsonObject>>({ type: 'object', additionalProperties: true });
const RoomTags = Type.Object({ tags: Tags });
export const getRoomTags = { params: tags, response: { 200: RoomTags, ...failures } };
export const putRoomTag = { params: tag, body: JsonObject, response: { 200: EmptyObject, ...failures } };
export const deleteRoomTag = { params: tag, response: { 200: EmptyObject, ...failures } };
