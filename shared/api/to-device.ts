/** Messages to devices. Matrix specification, client-server API, "Send-to-Device messaging". */
import { Type } from 'typebox';
import { Dictionary, EmptyObject, failures, JsonObject } from './common.ts';

/** A message as the device gets it. */
export const ToDeviceMessage = Type.Object({
  type: Type.String(),
  sender: Type.String(),
  content: JsonObject,
});

export const sendToDevice = {
  params: Type.Object({ eventType: Type.String(), transactionId: Type.String() }),
  body: Type.Object(
    {
      /** By user, and by device; `*` is all of the user's. */
      messages: Dictionary(Dictionary(JsonObject, { maxProperties: 1_000 }), { maxProperties: 10_000 }),
    },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};
