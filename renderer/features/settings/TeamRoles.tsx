import { i18n } from '@lingui/core';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import {
  hasLead,
  type Role,
  type TeamRoles as Rule,
  roles,
  rolesIn,
  rolesKey,
  rolesKind,
} from '../../../shared/team/roles.ts';
import { PageSection } from '../../components/page/Page.tsx';
import { inSentence } from '../../components/text-hazards.ts';
import { useServer } from '../../console-context.ts';
import { useColleagues } from '../../team/use-colleagues.ts';
import { roleName, useRoleLimit } from '../../team/use-role.ts';
import { useTeam } from '../../team/use-team.ts';
import classes from './Settings.module.css';

/** Renders the moderators' roles, if there are several moderators. Only leads can change them. */
export function TeamRoles() {
  const me = useServer().connection.userId;
  const team = useTeam();
  const colleagues = useColleagues();
  const limit = useRoleLimit('lead');
  /** The choice that would leave no lead. */
  const [refused, setRefused] = useState<string>();
  const documents = team.documents(rolesKind);
  const given = rolesIn(documents);
  const everyone = [me, ...colleagues.toSorted()];
  if (colleagues.length === 0) return null;

  /** Fields that this console doesn't know are kept. */
  function put(name: string, next: Rule) {
    const isRefused = !hasLead(next, everyone);
    setRefused(isRefused ? name : undefined);
    if (!isRefused) team.putDocument(rolesKind, rolesKey, { ...documents.get(rolesKey)?.content, ...next });
  }
  const selectOf = (name: string, label: string, role: Role, change: (role: Role) => Rule) => (
    <NativeSelect
      key={name}
      label={label}
      maw={420}
      disabled={limit !== undefined}
      value={role}
      data={roles.map((value) => ({ value, label: roleName(value) }))}
      error={refused === name && i18n.t('The team needs a lead.')}
      onChange={({ currentTarget: { value } }) =>
        put(name, change(roles.find((each) => each === value) ?? 'triage'))
      }
    />
  );
  return (
    <PageSection
      id="roles"
      title={i18n.t('Roles')}
      description={i18n.t(
        'Roles hide actions in consoles. They are an agreement, not access control: on the server, every member is an admin.',
      )}
    >
      <dl className={classes.roles}>
        <dt>{roleName('triage')}</dt>
        <dd>{i18n.t('Reads, notes, claims, escalates, resolves and warns.')}</dd>
        <dt>{roleName('moderator')}</dt>
        <dd>{i18n.t('Also restricts users, rooms and media.')}</dd>
        <dt>{roleName('lead')}</dt>
        <dd>
          {i18n.t('Also manages accounts, deletes rooms, and edits policies, rules, queues and roles.')}
        </dd>
      </dl>
      {limit && <p className={classes.note}>{limit}</p>}
      {everyone.map((userId) => {
        const role = (Object.hasOwn(given.members, userId) && given.members[userId]) || given.others;
        const label =
          userId === me ? i18n.t('{name} (you)', { name: inSentence(userId) }) : inSentence(userId);
        return selectOf(userId, label, role, (next) => ({
          ...given,
          members: { ...given.members, [userId]: next },
        }));
      })}
      {selectOf('', i18n.t('Members without a role'), given.others, (others) => ({ ...given, others }))}
    </PageSection>
  );
}
