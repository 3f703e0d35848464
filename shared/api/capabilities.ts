/** What users may do here. Matrix specification, client-server API, "Capabilities negotiation". */
import { type Static, Type } from 'typebox';
import { Dictionary, failures } from './common.ts';

const Switch = Type.Object({ enabled: Type.Boolean() });

/** Interface: "Changes by release", v1.53.0. */
export const Capabilities = Type.Object({
  capabilities: Type.Object({
    'm.room_versions': Type.Object({
      default: Type.String(),
      available: Dictionary(Type.String()),
    }),
    'm.change_password': Switch,
    'm.set_displayname': Switch,
    'm.set_avatar_url': Switch,
    'm.3pid_changes': Switch,
    'm.profile_fields': Switch,
    'm.get_login_token': Switch,
    'm.account_moderation': Type.Optional(Type.Object({ lock: Type.Boolean(), suspend: Type.Boolean() })),
  }),
});
export type Capabilities = Static<typeof Capabilities>;
export const getCapabilities = { response: { 200: Capabilities, ...failures } };
