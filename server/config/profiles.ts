/** What of their profiles users may change themselves; administrators may change all of it. */
import { Type } from 'typebox';
import { section } from './section.ts';

export const profiles = section(
  {
    enable_set_displayname: Type.Boolean({
      default: true,
      description: 'whether users may change their display name',
    }),
    enable_set_avatar_url: Type.Boolean({
      default: true,
      description: 'whether users may change their picture',
    }),
  },
  (settings) => ({
    profiles: {
      mayChangeDisplayName: settings.enable_set_displayname,
      mayChangeAvatarUrl: settings.enable_set_avatar_url,
    },
  }),
);
