import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import classes from './ReportDesk.module.css';

type Props = {
  by: 'filters' | 'queue';
  /** Shows the list without what leaves it out. */
  onClear: () => unknown;
};

/** Above a report that is open though the list beside it leaves it out: the keys that go on go into that list. */
export const NotInList = ({ by, onClear }: Props) => (
  <div className={classes.notInList} role="status">
    <IconFilterOff size={15} stroke={1.6} aria-hidden />
    <span>
      {by === 'filters' ? i18n.t('Filters hide this report.') : i18n.t("This report isn't in this queue.")}
    </span>
    <Button variant="subtle" size="compact-xs" onClick={() => void onClear()}>
      {by === 'filters' ? i18n.t('Clear filters') : i18n.t('Show all reports')}
    </Button>
  </div>
);
