/** Whom users find when they look for people. */
import { Type } from 'typebox';
import { section } from './section.ts';

export const userDirectory = section(
  {
    user_directory: Type.Object(
      {
        enabled: Type.Boolean({ default: true, description: 'whether users may look for people' }),
        search_all_users: Type.Boolean({
          default: false,
          description:
            'whether they find everyone, and not only who shares a room with them or is in a public one',
        }),
      },
      { default: {}, additionalProperties: true },
    ),
  },
  ({ user_directory: { enabled, search_all_users } }) => ({
    userDirectory: { isOn: enabled, findsAll: search_all_users },
  }),
);
