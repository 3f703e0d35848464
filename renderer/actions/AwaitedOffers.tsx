import { i18n } from '@lingui/core';
import { useEffect, useState } from 'react';
import classes from './ActionBar.module.css';

/** What is known sooner needs no words. */
const patience = 700;

/** In place of the actions, while it isn't known what the server lets one do. */
export function AwaitedOffers({ awaited }: { awaited: string | undefined }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={classes.frame}>
      <div className={classes.bar} role="status">
        <span className={classes.note}>
          {awaited !== undefined
            ? i18n.t('“{action}” follows as soon as the server has said what it lets you do.', {
                action: awaited,
              })
            : isLong && i18n.t('Asking the server what it lets you do…')}
        </span>
      </div>
    </div>
  );
}
