/** Addresses, networks and calls of others, of which this server has none. Matrix specification, client-server API. */
import { Type } from 'typebox';
import { failures, JsonObject, Timestamp } from './common.ts';

export const getThirdPartyIds = {
  response: {
    200: Type.Object({
      threepids: Type.Array(
        Type.Object({
          medium: Type.String(),
          address: Type.String(),
          validated_at: Timestamp,
          added_at: Timestamp,
        }),
      ),
    }),
    ...failures,
  },
};
export const postThirdPartyId = { body: Type.Optional(JsonObject), response: failures };

export const getProtocols = { response: { 200: JsonObject, ...failures } };
export const getProtocol = {
  params: Type.Object({ protocol: Type.String() }),
  response: { 200: JsonObject, ...failures },
};
export const findThirdParties = { response: { 200: Type.Array(JsonObject), ...failures } };
export const findThirdPartiesOf = { ...findThirdParties, params: Type.Object({ protocol: Type.String() }) };
export const getTurnServer = { response: { 200: JsonObject, ...failures } };
