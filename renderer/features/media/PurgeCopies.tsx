import { i18n } from '@lingui/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { purgeCopies } from '../../api/media-changes.ts';
import { DayField } from '../../components/DayField.tsx';
import { dayOf, startOfDay } from '../../components/day.ts';
import { useServer } from '../../console-context.ts';
import { useTeam } from '../../team/use-team.ts';
import { number } from '../../words/format.ts';
import classes from './CleanUp.module.css';
import { TypedDeletion } from './TypedDeletion.tsx';

const usualAge = 90 * 24 * 60 * 60 * 1000;

/** Deletes the copies that nobody opened for long. How many there are, no server tells beforehand. */
export function PurgeCopies() {
  const server = useServer();
  const team = useTeam();
  const [since, setSince] = useState(() => dayOf(Date.now() - usualAge));
  const purge = useMutation({
    mutationFn: () => purgeCopies(server, startOfDay(since) ?? 0),
    onSettled(deleted, error) {
      team.record({
        action: 'purge-media-copies',
        subject: { kind: 'user', userId: server.connection.userId },
        reports: [],
        outcome: error ? 'failed' : 'done',
        detail: error
          ? `not opened since ${since}: ${error.message}`
          : `${deleted} media, not opened since ${since}`,
      });
    },
  });
  if (purge.data !== undefined) {
    return (
      <output>
        {i18n.t(
          '{count, plural, =0 {There was no such copy.} one {One copy is deleted.} other {{shown} copies are deleted.}}',
          {
            count: purge.data,
            shown: number(purge.data),
          },
        )}
      </output>
    );
  }
  return (
    <>
      <div className={classes.fields}>
        <DayField
          label={i18n.t('Not opened since')}
          value={since}
          onChange={(day) => day && startOfDay(day) !== undefined && setSince(day)}
        />
      </div>
      <p className={classes.note}>{i18n.t('The server does not tell beforehand how many there are.')}</p>
      <TypedDeletion
        lost={i18n.t('What its own server no longer has does not come back.')}
        label={i18n.t('Delete the copies')}
        pending={purge.isPending}
        error={purge.error}
        onDelete={() => purge.mutate()}
      />
    </>
  );
}
