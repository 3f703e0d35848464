/** Showing to others who one is. Matrix specification, client-server API, "OpenID". */
import { Type } from 'typebox';
import { failures, JsonObject } from './common.ts';

export const postOpenIdToken = {
  params: Type.Object({ userId: Type.String() }),
  body: Type.Optional(JsonObject),
  response: {
    200: Type.Object({
      access_token: Type.String(),
      token_type: Type.String(),
      matrix_server_name: Type.String(),
      expires_in: Type.Integer({ description: 'Seconds' }),
    }),
    ...failures,
  },
};

export const getOpenIdUser = {
  querystring: Type.Object({ access_token: Type.Optional(Type.String()) }),
  response: { 200: Type.Object({ sub: Type.String() }), ...failures },
};
