/** Names that lead to rooms. Matrix specification, client-server API, "Room aliases". */
import { Type } from 'typebox';
import { EmptyObject, failures } from './common.ts';

const aliasParams = Type.Object({ roomAlias: Type.String() });

export const getRoomAlias = {
  params: aliasParams,
  response: {
    200: Type.Object({ room_id: Type.String(), servers: Type.Array(Type.String()) }),
    ...failures,
  },
};

export const putRoomAlias = {
  params: aliasParams,
  body: Type.Object({ room_id: Type.String() }, { additionalProperties: true }),
  response: { 200: EmptyObject, ...failures },
};
export const deleteRoomAlias = { params: aliasParams, response: { 200: EmptyObject, ...failures } };

export const getRoomAliases = {
  params: Type.Object({ roomId: Type.String() }),
  response: { 200: Type.Object({ aliases: Type.Array(Type.String()) }), ...failures },
};
