import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ReportKind } from './entries.ts';

type Props = { kind: ReportKind; id: number; onClick?: () => void; children: ReactNode };

/** Links to a report of any kind. */
export function ReportLink({ kind, id, ...rest }: Props) {
  if (kind === 'report') {
    return <Link to="/reports" search={({ server }) => ({ server, report: id })} {...rest} />;
  }
  return (
    <Link
      to={kind === 'user_report' ? '/reports/users/$reportId' : '/reports/rooms/$reportId'}
      params={{ reportId: String(id) }}
      search={({ server }) => ({ server })}
      {...rest}
    />
  );
}
