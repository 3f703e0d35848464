import { i18n } from '@lingui/core';
import { Checkbox } from '@mantine/core';
import { maxHeldEvents, retentionIn, retentionKind } from '../../../shared/team/evidence.ts';
import { useTeam } from '../../team/use-team.ts';
import { failureSentence } from '../../transport/refusal.ts';
import classes from './ActionPanel.module.css';
import type { EvidenceHold } from './use-evidence-hold.ts';

type Props = { evidence: EvidenceHold; isScheduled: boolean };

/** Offers to hold the reported messages first: when the action is scheduled, not when it runs. */
export function HoldField({ evidence, isScheduled }: Props) {
  const { documents, sync } = useTeam();
  const { count, isEnabled, want, error } = evidence;
  const { days } = retentionIn(documents(retentionKind));
  const kept =
    days === null
      ? i18n.t('Kept on this server until a moderator releases it.')
      : i18n.t(
          'Kept on this server until {days, plural, one {# day} other {# days}} after the case is resolved.',
          { days },
        );
  const description = [
    isScheduled && i18n.t("Held now: reports that arrive until then aren't included."),
    count > maxHeldEvents && i18n.t('Only {count} messages are held at once.', { count: maxHeldEvents }),
    kept,
    sync.state === 'local' && i18n.t('Without a team room, only this device can find it.'),
  ];
  return (
    <>
      {evidence.isOffered && (
        <Checkbox
          size="xs"
          label={i18n.t(
            'Hold evidence first: {count, plural, one {the reported message} other {# reported messages}}',
            { count },
          )}
          description={description.filter(Boolean).join(' ')}
          checked={isEnabled}
          onChange={(event) => want(event.currentTarget.checked)}
        />
      )}
      {error && (
        <p className={classes.warning}>
          {i18n.t("Couldn't check for open reports: {why}", { why: failureSentence(error) })}
        </p>
      )}
    </>
  );
}
