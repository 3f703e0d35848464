/** What clients keep for their users. Matrix specification, client-server API, "Client Config". */
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

/** All that is kept for a user, for administrators. The reference homeserver's "Account Data". */
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
