/** Whether people see of each other who is there. */
import { Type } from 'typebox';
import { section } from './section.ts';

export const presence = section(
  {
    presence: Type.Object(
      {
        enabled: Type.Boolean({
          default: true,
          description: 'whether people see of each other who is there',
        }),
      },
      { default: {}, additionalProperties: true },
    ),
  },
  (settings) => ({ presence: { enabled: settings.presence.enabled } }),
);
