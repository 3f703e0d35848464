import { i18n } from '@lingui/core';
import { Link } from '@tanstack/react-router';
import type { FiledKind, FiledReport } from '../../api/filed-reports.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/column.ts';

const Id = ({ text }: { text: string }) => (
  <span className={cells.mono} title={text}>
    <HazardText text={text} />
  </span>
);

export const filedReportColumns = (kind: FiledKind): Column<FiledReport>[] => [
  {
    id: 'report',
    name: i18n.t('Report'),
    width: 80,
    cell: ({ id }) => (
      <Link
        to={kind === 'user' ? '/reports/users/$reportId' : '/reports/rooms/$reportId'}
        params={{ reportId: String(id) }}
        search={({ server }) => ({ server })}
        className={cells.name}
      >
        {id}
      </Link>
    ),
  },
  {
    id: 'received_ts',
    name: i18n.t('Filed'),
    width: 110,
    order: 'received_ts',
    descending: true,
    cell: ({ receivedTs }) => <RelativeTime timestamp={receivedTs} />,
  },
  {
    id: 'about',
    name: kind === 'user' ? i18n.t('Reported user') : i18n.t('Reported room'),
    width: 280,
    cell: ({ about }) => <Id text={about} />,
  },
  { id: 'by', name: i18n.t('Filed by'), width: 220, cell: ({ by }) => <Id text={by} /> },
  {
    id: 'reason',
    name: i18n.t('Reason'),
    width: 320,
    cell: ({ reason }) =>
      reason === '' ? (
        <span className={cells.quiet}>{i18n.t('No reason given')}</span>
      ) : (
        <HazardText text={reason.slice(0, 500)} />
      ),
  },
];
