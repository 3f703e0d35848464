/** Replacing a room by one of another version. Matrix specification, client-server API, "Room upgrades". */
import { type Static, Type } from 'typebox';
import { failures } from './common.ts';

export const UpgradeRequest = Type.Object(
  {
    new_version: Type.String(),
    additional_creators: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
  },
  { additionalProperties: true },
);
export type UpgradeRequest = Static<typeof UpgradeRequest>;
export const upgradeRoom = {
  params: Type.Object({ roomId: Type.String() }),
  body: UpgradeRequest,
  response: { 200: Type.Object({ replacement_room: Type.String() }), ...failures },
};
