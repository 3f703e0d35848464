/** The first events of a new room, by preset and request. Client-server API, "Creation". */
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { CreateRoomRequest } from '../../../../shared/api/rooms.ts';
import { MatrixError } from '../../../platform/core/matrix-error.ts';
import type { EventDraft } from '../events/append-events.ts';
import type { RoomRules } from '../room-version.ts';

export type Preset = NonNullable<CreateRoomRequest['preset']>;

/** A draft without content. */
export const stateDraft = (sender: string, type: string, stateKey = '') => ({ sender, type, stateKey });

/** Returns the content of the create event. From room version 12 on, `trusted_private_chat` makes invitees creators. */
export function creationContent(
  rules: RoomRules,
  creator: string,
  { creation_content: given = {} }: CreateRoomRequest,
  preset: Preset,
  invited: string[],
): JsonObject {
  const { additional_creators: others } = given;
  const trusted = rules.hasPrivilegedCreators && preset === 'trusted_private_chat' ? invited : [];
  const together = Array.isArray(others) ? [...new Set([...others, ...trusted])] : trusted;
  return {
    ...given,
    ...(trusted.length > 0 &&
      (others === undefined || Array.isArray(others)) && { additional_creators: together }),
    ...(!rules.isTidy && { creator }),
    room_version: rules.version,
  };
}

/** Returns the state events between the creator's join and the invitations; `initial_state` overrides the preset. */
export function firstState(
  rules: RoomRules,
  creator: string,
  request: CreateRoomRequest,
  preset: Preset,
  invited: string[],
  alias: string | undefined,
): EventDraft[] {
  const wanted = new Map(
    (request.initial_state ?? []).map(({ type, state_key, content }) => [
      `${type}\0${state_key}`,
      { ...stateDraft(creator, type, state_key), content },
    ]),
  );
  const drafts: EventDraft[] = [];
  const set = (type: string, content: JsonObject) => {
    drafts.push(wanted.get(`${type}\0`) ?? { ...stateDraft(creator, type), content });
    wanted.delete(`${type}\0`);
  };
  set('m.room.power_levels', firstPowerLevels(rules, creator, request, preset, invited));
  if (alias) set('m.room.canonical_alias', { alias });
  set('m.room.join_rules', { join_rule: preset === 'public_chat' ? 'public' : 'invite' });
  set('m.room.history_visibility', { history_visibility: 'shared' });
  if (preset !== 'public_chat') set('m.room.guest_access', { guest_access: 'can_join' });
  drafts.push(...wanted.values());
  if (request.name !== undefined) drafts.push(nameOf(creator, request.name));
  if (request.topic !== undefined) {
    const content = { topic: request.topic, 'm.topic': { 'm.text': [{ body: request.topic }] } };
    drafts.push({ ...stateDraft(creator, 'm.room.topic'), content });
  }
  return drafts;
}

const nameOf = (creator: string, name: string): EventDraft => ({
  ...stateDraft(creator, 'm.room.name'),
  content: { name },
});

function firstPowerLevels(
  rules: RoomRules,
  creator: string,
  request: CreateRoomRequest,
  preset: Preset,
  invited: string[],
): JsonObject {
  const trusted = preset === 'trusted_private_chat' ? invited : [];
  // From room version 12 on, creators have unlimited power and no level.
  const listed = rules.hasPrivilegedCreators ? [] : [creator, ...trusted];
  // A call in a public room would ring for everyone.
  const calls = preset === 'public_chat' ? { 'm.call.invite': 50 } : {};
  const levels: JsonObject = {
    users: Object.fromEntries(listed.map((userId) => [userId, 100])),
    users_default: 0,
    events: {
      'm.room.name': 50,
      'm.room.power_levels': 100,
      'm.room.history_visibility': 100,
      'm.room.canonical_alias': 50,
      'm.room.avatar': 50,
      'm.room.tombstone': rules.hasPrivilegedCreators ? 150 : 100,
      'm.room.server_acl': 100,
      'm.room.encryption': 100,
      ...calls,
    },
    events_default: 0,
    state_default: 50,
    ban: 50,
    kick: 50,
    redact: 50,
    invite: preset === 'public_chat' ? 50 : 0,
    historical: 100,
    // Like Synapse, also at the top level.
    ...calls,
    ...request.power_level_content_override,
  };
  const { users } = levels;
  const isListed = typeof users !== 'object' || users === null || Object.hasOwn(users, creator);
  if (!isListed && !rules.hasPrivilegedCreators) {
    throw new MatrixError(
      400,
      'M_UNKNOWN',
      `Not a valid power_level_content_override: 'users' did not contain ${creator}`,
    );
  }
  return levels;
}
