import { i18n } from '@lingui/core';
import { allows, type Role } from '../../shared/team/roles.ts';
import { useTeamValue } from './use-team.ts';

/** Returns the user's role in the team. */
export const useRole = (): Role => useTeamValue(({ role }) => role);

/** Returns why the user's role lacks the permissions of the required one; undefined if it has them. */
export function useRoleLimit(least: Role): string | undefined {
  return allows(useRole(), least) ? undefined : roleLimit(least);
}

function roleLimit(least: Role): string {
  return least === 'lead'
    ? i18n.t('Only leads can change this.')
    : i18n.t('Only moderators and leads can change this.');
}

export function roleName(role: Role): string {
  switch (role) {
    case 'triage':
      return i18n.t('Triage');
    case 'moderator':
      return i18n.t('Moderator');
    case 'lead':
      return i18n.t('Lead');
  }
}
