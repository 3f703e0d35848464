/** Who may publish rooms and make aliases. */
import { type Static, Type } from 'typebox';
import type { DirectoryRule, RoomDirectoryConfig } from './config.ts';
import type { Settings } from './settings.ts';

/** The patterns may hold `*` and `?`; what is left out matches everything. */
export const DirectoryRuleSetting = Type.Object(
  {
    user_id: Type.Optional(Type.String()),
    alias: Type.Optional(Type.String()),
    room_id: Type.Optional(Type.String()),
    action: Type.Optional(Type.Union([Type.Literal('allow'), Type.Literal('deny')])),
  },
  { additionalProperties: false },
);

/** The first rule that matches decides. Interface: "Changes by release", v1.126.0. */
export const roomDirectoryConfig = (settings: Settings): RoomDirectoryConfig => ({
  publicationRules: (settings.room_list_publication_rules ?? []).map(asRule),
  aliasCreationRules: (settings.alias_creation_rules ?? [{}]).map(asRule),
});

const asRule = (setting: Static<typeof DirectoryRuleSetting>): DirectoryRule => ({
  userId: setting.user_id ?? '*',
  alias: setting.alias ?? '*',
  roomId: setting.room_id ?? '*',
  action: setting.action ?? 'allow',
});
