/** The roles of moderators: a document of the kind `roles`. A convention: the server lets every admin do anything. */
import { type Static, Type } from 'typebox';
import { Dictionary } from '../api/common.ts';
import { fits } from '../fits.ts';
import type { DocumentsOfKind } from './documents.ts';

export const rolesKind = 'roles';
/** Key of the only document that counts. */
export const rolesKey = 'team';

/** In ascending order: each role includes the previous ones. */
export const roles = ['triage', 'moderator', 'lead'] as const;
export type Role = (typeof roles)[number];

/** Unknown roles of later consoles are read as the lowest one. */
const RoleName = Type.String({ minLength: 1, maxLength: 50 });
const TeamRoles = Type.Object({
  /** By user ID. */
  members: Dictionary(RoleName),
  /** Role of moderators who aren't listed. */
  others: RoleName,
});
export type TeamRoles = Omit<Static<typeof TeamRoles>, 'members' | 'others'> & {
  members: Readonly<Record<string, Role>>;
  others: Role;
};

const byDefault: TeamRoles = { members: {}, others: 'lead' };

const known = (name: string): Role => roles.find((role) => role === name) ?? 'triage';

/** Returns the team's roles. If the document is missing or invalid, everyone is a lead. */
export function rolesIn(documents: DocumentsOfKind): TeamRoles {
  const content = documents.get(rolesKey)?.content;
  if (!fits(TeamRoles, content)) return byDefault;
  const members = Object.entries(content.members).map(([userId, role]) => [userId, known(role)] as const);
  return { members: Object.fromEntries(members), others: known(content.others) };
}

const assigned = ({ members, others }: TeamRoles, userId: string): Role =>
  (Object.hasOwn(members, userId) ? members[userId] : undefined) ?? others;

/** Whether any of these moderators is a lead. */
export const hasLead = (team: TeamRoles, moderators: Iterable<string>): boolean =>
  [...moderators].some((userId) => assigned(team, userId) === 'lead');

/**
 * Returns a moderator's role. If no lead is left, everyone is a lead: otherwise no one could change the roles.
 *
 * @param moderators all current ones; undefined if they aren't known
 */
export const roleOf = (userId: string, team: TeamRoles, moderators?: Iterable<string>): Role =>
  moderators && !hasLead(team, moderators) ? 'lead' : assigned(team, userId);

/** Whether a role includes the permissions of another. */
export const allows = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least);
