import { i18n } from '@lingui/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import { reportKinds } from '../../../../shared/team/entries.ts';
import { policyKind, policyName } from '../../../../shared/team/policies.ts';
import { ExportButton } from '../../../components/file/ExportPanel.tsx';
import { useFileExport } from '../../../components/file/use-file-export.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { PageSection } from '../../../components/page/Page.tsx';
import { useTeam } from '../../../team/use-team.ts';
import { verdictName } from '../../../team/verdicts.ts';
import { number } from '../../../words/format.ts';
import classes from './StatisticsScreen.module.css';
import { byModerator, byPolicy, transparencyColumns, transparencyRows } from './team-figures.ts';

/** Shows decisions by moderator and by policy, and exports a transparency report. */
export function TeamFigures({ reports }: { reports: readonly EventReportItem[] }) {
  const team = useTeam();
  const [opened, setOpened] = useState(false);
  const job = useFileExport('transparency-report');
  const marks = useMemo(() => reportKinds.flatMap((kind) => [...team.marksOf[kind].values()]), [team]);
  const moderators = useMemo(() => byModerator(marks, team.entries), [marks, team]);
  const policies = useMemo(() => byPolicy(marks, team.entries), [marks, team]);
  const nameOf = (key: string) => policyName(team.documents(policyKind), key);
  const verdicts = ['upheld', 'not_upheld', 'duplicate'] as const;
  if (moderators.length === 0) return null;
  return (
    <>
      <PageSection title={i18n.t('By moderator')} description={i18n.t('From the team log on this device')}>
        <FigureTable
          label={i18n.t('Decisions by moderator')}
          columns={[
            i18n.t('Moderator'),
            i18n.t('Resolved'),
            ...verdicts.map(verdictName),
            i18n.t('Escalated'),
            i18n.t('Actions'),
            i18n.t('Undone'),
          ]}
          rows={moderators.map(({ by, resolved, escalated, actions, undone, ...figures }) => ({
            key: by,
            name: <HazardText text={by} />,
            figures: [resolved, ...verdicts.map((verdict) => figures[verdict]), escalated, actions, undone],
          }))}
        />
      </PageSection>
      <PageSection title={i18n.t('By policy')}>
        <FigureTable
          label={i18n.t('Decisions by policy')}
          columns={[i18n.t('Policy'), i18n.t('Resolved'), ...verdicts.map(verdictName), i18n.t('Actions')]}
          rows={policies.map(({ policy, resolved, actions, ...figures }) => ({
            key: policy ?? '',
            name: policy === undefined ? i18n.t('No policy') : <HazardText text={nameOf(policy)} />,
            figures: [resolved, ...verdicts.map((verdict) => figures[verdict]), actions],
          }))}
        />
        <div>
          <ExportButton
            label={i18n.t('Export transparency report')}
            opened={opened}
            onOpen={setOpened}
            job={job}
            onStart={(format) =>
              job.start(format, transparencyColumns, async function* () {
                const rows = transparencyRows({
                  reports,
                  marks,
                  marksOfEvents: team.marks,
                  entries: team.entries,
                  policyName: nameOf,
                });
                yield { rows, read: rows.length, total: rows.length };
              })
            }
            note={i18n.t(
              'Exports reports, verdicts, policies and actions as figures, without names of users.',
            )}
            doneText={(count) => i18n.t('{count, plural, one {# row} other {# rows}} exported', { count })}
          />
        </div>
      </PageSection>
    </>
  );
}

type TableProps = {
  label: string;
  columns: readonly string[];
  rows: readonly { key: string; name: ReactNode; figures: readonly number[] }[];
};

function FigureTable({ label, columns, rows }: TableProps) {
  return (
    <table className={classes.figures} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, figures }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            {figures.map((figure, index) => (
              <td key={columns[index + 1]}>{number(figure)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
