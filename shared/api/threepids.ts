/** Email addresses and telephone numbers. Matrix specification, client-server API, "Adding Account Administrative Contact Information". */
import { Type } from 'typebox';
import { EmptyObject, failures } from './common.ts';

export const getThreepids = {
  response: {
    200: Type.Object({
      threepids: Type.Array(
        Type.Object({
          medium: Type.String(),
          address: Type.String(),
          validated_at: Type.Integer(),
          added_at: Type.Integer(),
        }),
      ),
    }),
    ...failures,
  },
};

const Anything = Type.Object({}, { additionalProperties: true });

/** What needs a validated address, which nobody can have here: always refused. */
export const refusedThreepid = { body: Anything, response: { 200: EmptyObject, ...failures } };

/** About an address that is given away. */
export const postOwnThreepid = {
  body: Type.Object(
    {
      medium: Type.Union([Type.Literal('email'), Type.Literal('msisdn')]),
      address: Type.String(),
    },
    { additionalProperties: true },
  ),
  response: { 200: Type.Object({ id_server_unbind_result: Type.String() }), ...failures },
};
