import { i18n } from '@lingui/core';
import { Checkbox } from '@mantine/core';
import { retentionIn, retentionKind } from '../../../shared/team/evidence.ts';
import { useTeam } from '../../team/use-team.ts';
import type { EvidenceHold } from './use-evidence-hold.ts';

/** Offers to hold the reported messages first. */
export function HoldField({ evidence: { count, isWanted, want } }: { evidence: EvidenceHold }) {
  const { documents, sync } = useTeam();
  const { days } = retentionIn(documents(retentionKind));
  const kept =
    days === null
      ? i18n.t('Kept on this server until a moderator releases it.')
      : i18n.t(
          'Kept on this server until {days, plural, one {# day} other {# days}} after the case is resolved.',
          { days },
        );
  const isLocal = sync.state === 'local';
  return (
    <Checkbox
      size="xs"
      label={i18n.t(
        'Hold evidence first: {count, plural, one {the reported message} other {# reported messages}}',
        { count },
      )}
      description={isLocal ? `${kept} ${i18n.t('Without a team room, only this device can find it.')}` : kept}
      checked={isWanted}
      onChange={(event) => want(event.currentTarget.checked)}
    />
  );
}
