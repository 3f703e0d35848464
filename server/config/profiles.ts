/** What of their profiles users may change themselves; administrators may change all of it. */
import { Type } from 'typebox';
import { section } from './section.ts';

export const profiles = section(
  {
    enable_set_displayname: Type.Boolean({
      default: true,
      description: 'Lets users change their display name',
    }),
    enable_set_avatar_url: Type.Boolean({
      default: true,
      description: 'Lets users change their avatar',
    }),
  },
  (settings) => ({
    profiles: {
      mayChangeDisplayName: settings.enable_set_displayname,
      mayChangeAvatarUrl: settings.enable_set_avatar_url,
    },
  }),
);
