/** How users sort their rooms. Matrix specification, client-server API, "Room Tagging". */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, JsonObject } from './common.ts';

const tags = Type.Object({ userId: Type.String(), roomId: Type.String() });
const tag = Type.Object({ userId: Type.String(), roomId: Type.String(), tag: Type.String() });

/** Tags are named by clients, and the pattern of a record would not know all of them. */
const Tags = Type.Unsafe<Record<string, JsonObject>>({ type: 'object', additionalProperties: true });
export const RoomTags = Type.Object({ tags: Tags });
export type RoomTags = Static<typeof RoomTags>;
export const getRoomTags = { params: tags, response: { 200: RoomTags, ...failures } };
export const putRoomTag = { params: tag, body: JsonObject, response: { 200: EmptyObject, ...failures } };
export const deleteRoomTag = { params: tag, response: { 200: EmptyObject, ...failures } };
