import { i18n } from '@lingui/core';
import { useEffect, useState } from 'react';
import classes from './ActionBar.module.css';

/** What is known sooner needs no words. */
const patience = 700;

type Props = {
  /** What was asked for by its key meanwhile. */
  awaited: string | undefined;
  /** The report is on its way, and says so itself. */
  isComing: boolean;
};

/** In place of the actions, while it isn't known what the server lets one do, or to what. */
export function AwaitedOffers({ awaited: action, isComing }: Props) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), patience);
    return () => clearTimeout(timer);
  }, []);
  function words() {
    if (action === undefined) return !isComing && isLong && i18n.t('Loading permissions…');
    return isComing
      ? i18n.t('“{action}” starts once the report has loaded', { action })
      : i18n.t('“{action}” starts once your permissions have loaded', { action });
  }
  return (
    <div className={classes.frame}>
      <div className={classes.bar} role="status">
        <span className={classes.note}>{words()}</span>
      </div>
    </div>
  );
}
