/** Whom users find when they look for people. */
import { Type } from 'typebox';
import { section } from './section.ts';

export const userDirectory = section(
  {
    user_directory: Type.Object(
      {
        enabled: Type.Boolean({ default: true, description: 'Lets users search for other users' }),
        search_all_users: Type.Boolean({
          default: false,
          description: 'Finds all users, not only those in shared or public rooms',
        }),
      },
      { default: {}, additionalProperties: true },
    ),
  },
  ({ user_directory: { enabled, search_all_users } }) => ({
    userDirectory: { isOn: enabled, findsAll: search_all_users },
  }),
);
