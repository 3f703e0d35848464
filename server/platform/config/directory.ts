/** Settings of the room directory and the user directory. */
import { type Static, Type } from 'typebox';
import { section } from './section.ts';

/** Values are glob patterns. */
export type DirectoryRule = { userId: string; alias: string; roomId: string; action: 'allow' | 'deny' };

const Rule = Type.Object(
  {
    user_id: Type.String({ default: '*' }),
    alias: Type.String({ default: '*' }),
    room_id: Type.String({ default: '*' }),
    action: Type.Enum(['allow', 'deny'], { default: 'allow' }),
  },
  { additionalProperties: false },
);

export const roomDirectory = section(
  {
    room_list_publication_rules: Type.Array(Rule, {
      default: [],
      description:
        'Rules for publishing rooms in the room directory; the first that matches `user_id`, `alias` and `room_id` decides. Without rules, only server admins may publish',
    }),
    alias_creation_rules: Type.Array(Rule, {
      default: [{}],
      description: 'Rules for creating room aliases, in the same format',
    }),
    allow_public_rooms_without_auth: Type.Boolean({
      default: false,
      description: 'Shows the room directory without sign-in',
    }),
    require_membership_for_aliases: Type.Boolean({
      default: true,
      description: 'Lets only members create aliases for a room',
    }),
  },
  (settings) => ({
    roomDirectory: {
      /** Whether it's visible without an access token. */
      isOpen: settings.allow_public_rooms_without_auth,
      aliasesByMembers: settings.require_membership_for_aliases,
      publicationRules: settings.room_list_publication_rules.map(asRule),
      aliasCreationRules: settings.alias_creation_rules.map(asRule),
    },
  }),
);

const asRule = ({ user_id: userId, alias, room_id: roomId, action }: Static<typeof Rule>): DirectoryRule => ({
  userId,
  alias,
  roomId,
  action,
});

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
