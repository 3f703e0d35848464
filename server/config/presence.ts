/** Whether people see of each other who is there. */
import { Type } from 'typebox';
import { section } from './section.ts';

export const presence = section(
  {
    presence: Type.Object(
      {
        enabled: Type.Boolean({
          default: true,
          description: 'Shares presence between users',
        }),
      },
      { default: {}, additionalProperties: true },
    ),
  },
  (settings) => ({ presence: { enabled: settings.presence.enabled } }),
);
