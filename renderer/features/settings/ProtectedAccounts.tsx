import { i18n } from '@lingui/core';
import { Button, Switch, Textarea } from '@mantine/core';
import { useState } from 'react';
import {
  maxPatterns,
  patternsIn,
  protectedIn,
  protectedKey,
  protectedKind,
  type ProtectedAccounts as Rule,
  unusablePattern,
} from '../../../shared/team/protected.ts';
import { noticesOf } from '../../components/notices.ts';
import { PageSection } from '../../components/page/Page.tsx';
import { useServer } from '../../console-context.ts';
import { useRoleLimit } from '../../team/use-role.ts';
import { useTeam } from '../../team/use-team.ts';
import classes from './Settings.module.css';

/** Renders the team's setting for the accounts that bulk actions omit. */
export function ProtectedAccounts() {
  const server = useServer();
  const team = useTeam();
  const documents = team.documents(protectedKind);
  const rule = protectedIn(documents);
  const saved = rule.patterns.join('\n');
  /** Undefined: as saved. */
  const [typed, setTyped] = useState<string>();
  const [fault, setFault] = useState<string>();
  const patterns = patternsIn(typed ?? saved);
  const limit = useRoleLimit('lead');
  const isChanged = patterns.join('\n') !== saved;

  /** Fields that this console doesn't know are kept. */
  const put = (change: Partial<Rule>) =>
    team.putDocument(protectedKind, protectedKey, {
      ...documents.get(protectedKey)?.content,
      ...rule,
      ...change,
    });

  function savePatterns() {
    const why = faultIn(patterns);
    setFault(why);
    if (why !== undefined) return;
    put({ patterns });
    setTyped(undefined);
    noticesOf(server).show({ text: i18n.t('Protected accounts saved') });
  }

  return (
    <PageSection
      id="protected"
      title={i18n.t('Protected accounts')}
      description={i18n.t(
        'Bulk actions that restrict users skip them; a single action asks for the user ID. Shared with the team if there is a team room.',
      )}
    >
      {limit && <p className={classes.note}>{limit}</p>}
      <Switch
        label={i18n.t('Server admins')}
        disabled={limit !== undefined}
        checked={rule.admins}
        onChange={(event) => put({ admins: event.currentTarget.checked })}
      />
      <Switch
        label={i18n.t('Application service users and bots')}
        description={i18n.t(
          'For example, users of bridges. Among more than 200 users, only patterns find them.',
        )}
        disabled={limit !== undefined}
        checked={rule.application_services}
        onChange={(event) => put({ application_services: event.currentTarget.checked })}
      />
      <Textarea
        label={i18n.t('User ID patterns')}
        description={i18n.t('One per line; * matches any characters.')}
        placeholder="@telegram_*"
        autosize
        minRows={2}
        maxRows={10}
        maw={420}
        disabled={limit !== undefined}
        value={typed ?? saved}
        error={fault}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setFault(undefined);
        }}
        autoComplete="off"
        spellCheck={false}
      />
      {isChanged && (
        <div>
          <Button onClick={savePatterns}>{i18n.t('Save patterns')}</Button>
        </div>
      )}
    </PageSection>
  );
}

function faultIn(patterns: readonly string[]): string | undefined {
  if (patterns.length > maxPatterns) return i18n.t('Enter up to {count} patterns.', { count: maxPatterns });
  const pattern = unusablePattern(patterns);
  return (
    pattern &&
    i18n.t('{pattern} matches no user ID. Use the form @name:server, with * as a wildcard.', { pattern })
  );
}
