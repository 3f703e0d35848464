import { i18n } from '@lingui/core';
import { useState } from 'react';
import { DayField } from '../../components/DayField.tsx';
import { dayOf, startOfDay } from '../../components/day.ts';
import classes from './CleanUp.module.css';
import { TypedDeletion } from './TypedDeletion.tsx';
import { useCleanUp } from './use-clean-up.ts';

const usualAge = 90 * 24 * 60 * 60 * 1000;

/** Deletes the copies that nobody opened for long. How many there are, no server tells beforehand. */
export function PurgeCopies() {
  const [since, setSince] = useState(() => dayOf(Date.now() - usualAge));
  const cleanUp = useCleanUp('purge-media-copies');
  if (cleanUp.isBegun) {
    return <output>{i18n.t('It goes on below, where it also says when it is done.')}</output>;
  }
  return (
    <>
      <div className={classes.fields}>
        <DayField
          label={i18n.t('Not opened since')}
          value={since}
          latest={dayOf(Date.now())}
          required
          onChange={(day) => day && startOfDay(day) !== undefined && setSince(day)}
        />
      </div>
      <p className={classes.note}>{i18n.t('The server does not tell beforehand how many there are.')}</p>
      <TypedDeletion
        lost={i18n.t('What its own server no longer has does not come back.')}
        label={i18n.t('Delete the copies')}
        onDelete={() => cleanUp.begin({ before: startOfDay(since) ?? 0 })}
      />
    </>
  );
}
