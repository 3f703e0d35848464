/** How far people have read. Matrix specification, client-server API, "Receipts" and "Fully read markers". */
import { Type } from 'typebox';
import { EmptyObject, failures, JsonObject } from './common.ts';

export const postReceipt = {
  params: Type.Object({ roomId: Type.String(), receiptType: Type.String(), eventId: Type.String() }),
  body: JsonObject,
  response: { 200: EmptyObject, ...failures },
};

const Place = Type.Optional(
  Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Event in the room' }),
);

export const postReadMarkers = {
  params: Type.Object({ roomId: Type.String() }),
  body: Type.Object(
    { 'm.fully_read': Place, 'm.read': Place, 'm.read.private': Place },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};
