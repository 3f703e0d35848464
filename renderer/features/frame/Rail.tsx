import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { eventReportTotalQuery } from '../../api/event-reports.ts';
import { reviewedReports } from '../../api/reviewed-reports.ts';
import { Mark } from '../../components/Mark.tsx';
import { useConsole, useServer } from '../../console-context.ts';
import classes from './Rail.module.css';
import { screens } from './screens.ts';

export function Rail() {
  const { host } = useConsole();
  const shown = screens.filter(({ shellOnly }) => !shellOnly || host.shell);
  return (
    <nav className={classes.rail} aria-label="Screens">
      <span className={classes.mark}>
        <Mark size={26} />
      </span>
      {shown.map(({ path, name, icon: Icon, last }) => (
        <Link
          key={path}
          to={path}
          className={classes.entry}
          data-last={last || undefined}
          activeOptions={{ includeSearch: false }}
        >
          <span className={classes.icon}>
            <Icon size={20} stroke={1.6} aria-hidden />
            {path === '/reports' && <UnreviewedBadge />}
          </span>
          <span>{name}</span>
        </Link>
      ))}
    </nav>
  );
}

/** How many reports nobody has marked as reviewed on this machine. */
function UnreviewedBadge() {
  const server = useServer();
  const { data } = useQuery({ ...eventReportTotalQuery(server, {}), refetchInterval: 20_000 });
  const reviewed = reviewedReports(server.id);
  const marks = useSyncExternalStore(reviewed.subscribe, reviewed.snapshot);
  const unreviewed = data && Math.max(0, data.total - marks.size);
  if (!unreviewed) return null;
  return (
    <span className={classes.badge} role="status" aria-label={`${unreviewed} unreviewed`}>
      {unreviewed > 999 ? `${Math.floor(unreviewed / 1000)}k` : unreviewed}
    </span>
  );
}
