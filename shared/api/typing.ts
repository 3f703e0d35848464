/** That somebody writes. Matrix specification, client-server API, "Typing Notifications". */
import { Type } from 'typebox';
import { EmptyObject, failures, SafeInteger } from './common.ts';

export const putTyping = {
  params: Type.Object({ roomId: Type.String(), userId: Type.String() }),
  body: Type.Object(
    {
      typing: Type.Boolean(),
      timeout: Type.Optional({ ...SafeInteger, description: 'Timeout in milliseconds' }),
    },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};
