import { i18n } from '@lingui/core';
import { NativeSelect, Switch } from '@mantine/core';
import {
  evidenceIn,
  type Retention,
  retentionIn,
  retentionKey,
  retentionKind,
} from '../../../../shared/team/evidence.ts';
import { Page, PageSection } from '../../../components/page/Page.tsx';
import { useTabTitle } from '../../../components/page/use-window-title.ts';
import { TeamNotice } from '../../../team/TeamNotice.tsx';
import { useRoleLimit } from '../../../team/use-role.ts';
import { useTeam, useTeamReading } from '../../../team/use-team.ts';
import { HeldEvidence } from './HeldEvidence.tsx';

const offeredDays = [30, 90, 180, 365, 730];

/** The team's retention setting, and all held evidence, including that of reports that were deleted with their room. */
export function EvidenceScreen() {
  const title = i18n.t('Evidence');
  useTabTitle(title);
  const team = useTeam();
  const documents = team.documents(retentionKind);
  const retention = retentionIn(documents);
  const { days, media } = retention;
  /** Fields that this console doesn't know are kept. */
  const put = (change: Partial<Retention>) =>
    team.putDocument(retentionKind, retentionKey, {
      ...documents.get(retentionKey)?.content,
      ...retention,
      ...change,
    });
  const choices = [...new Set([...offeredDays, ...(days === null ? [] : [days])])].sort((a, b) => a - b);
  const evidence = evidenceIn(team);
  const { isRead, error } = useTeamReading();
  const limit = useRoleLimit('lead');
  return (
    <Page
      title={title}
      description={i18n.t(
        'Held messages are stored as files on this server. Shared with the team if there is a team room.',
      )}
    >
      <TeamNotice />
      <PageSection title={i18n.t('Held evidence')}>
        {evidence.length > 0 ? (
          <HeldEvidence evidence={evidence} withSubject />
        ) : (
          <p>
            {isRead
              ? i18n.t('No held evidence. Choose Hold evidence in a case.')
              : error
                ? i18n.t('Not loaded')
                : i18n.t('Loading…')}
          </p>
        )}
      </PageSection>
      <PageSection title={i18n.t('Retention')}>
        {limit !== undefined && <p>{limit}</p>}
        <NativeSelect
          label={i18n.t('Keep evidence')}
          description={i18n.t(
            'Counts from the resolution of the case. A console or watcher then removes it.',
          )}
          maw={420}
          disabled={limit !== undefined}
          value={days === null ? '' : String(days)}
          data={[
            ...choices.map((each) => ({
              value: String(each),
              label: i18n.t('{days, plural, one {# day} other {# days}}', { days: each }),
            })),
            { value: '', label: i18n.t('Until released') },
          ]}
          onChange={({ currentTarget: { value } }) => put({ days: value === '' ? null : Number(value) })}
        />
        <Switch
          label={i18n.t('Keep copies of images')}
          description={i18n.t('Otherwise only their SHA-256 hashes and sizes.')}
          checked={media}
          disabled={limit !== undefined}
          onChange={(event) => put({ media: event.currentTarget.checked })}
        />
      </PageSection>
    </Page>
  );
}
