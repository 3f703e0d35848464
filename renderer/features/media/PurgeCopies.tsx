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
    return <output>{i18n.t('Started. See progress below.')}</output>;
  }
  return (
    <>
      <div className={classes.fields}>
        <DayField
          label={i18n.t('Not accessed since')}
          value={since}
          latest={dayOf(Date.now())}
          required
          onChange={(day) => day && startOfDay(day) !== undefined && setSince(day)}
        />
      </div>
      <p className={classes.note}>{i18n.t('File count unknown in advance.')}</p>
      <TypedDeletion
        lost={i18n.t("Media deleted on the origin server can't be restored.")}
        label={i18n.t('Purge remote media cache')}
        onDelete={() => cleanUp.begin({ before: startOfDay(since) ?? 0 })}
      />
    </>
  );
}
