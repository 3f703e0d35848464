import { ActionBar } from '../../actions/ActionBar.tsx';
import { actedOnReports, type Reported } from '../../actions/acted-on-reports.ts';
import classes from './SelectionActions.module.css';

/** What can be done with the events, senders and rooms of the reports that are selected. */
export default function SelectionActions({
  reports,
  onActed,
}: {
  reports: readonly Reported[];
  onActed: () => void;
}) {
  return (
    <div className={classes.actions}>
      <ActionBar on={actedOnReports(reports)} onActed={onActed} />
    </div>
  );
}
