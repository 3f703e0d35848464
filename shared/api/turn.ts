/** Where calls find a relay. Matrix specification, client-server API, "Voice over IP". */
import { Type } from 'typebox';
import { failures } from './common.ts';

export const getTurnServer = {
  response: {
    200: Type.Object({
      username: Type.Optional(Type.String()),
      password: Type.Optional(Type.String()),
      uris: Type.Optional(Type.Array(Type.String())),
      ttl: Type.Optional(Type.Integer({ description: 'Seconds' })),
    }),
    ...failures,
  },
};
