import { i18n } from '@lingui/core';
import { type CSSProperties, useEffect } from 'react';
import { Hint } from '../components/Hint.tsx';
import { useServer } from '../console-context.ts';
import { list } from '../words/format.ts';
import type { ReportKind } from './entries.ts';
import classes from './Lookers.module.css';
import { initialsOf } from './looking.ts';
import { teamOf } from './team-store.ts';
import { useOfTeam } from './use-team.ts';

const mostShown = 3;

/** Lets the others see that this person looks at a report, for as long as the component is on screen. */
export function useLook(id: number, of: ReportKind = 'report'): void {
  const store = teamOf(useServer());
  useEffect(() => {
    store.snapshot().look(`${of} ${id}`);
    return () => store.snapshot().look(null);
  }, [store, of, id]);
}

/** Who else looks at a report now, by initials; nothing where nobody does. */
export function Lookers({ reportId, of = 'report' }: { reportId: number; of?: ReportKind }) {
  const userIds = useOfTeam(({ lookers }) => lookers(`${of} ${reportId}`));
  const room = useOfTeam(({ sync }) => sync.room);
  const colleagues = room.is === 'open' ? [...room.room.administrators] : userIds;
  if (userIds.length === 0) return null;
  const label = i18n.t('Also viewing: {names}', { count: userIds.length, names: list(userIds) });
  return (
    <Hint label={label}>
      <span className={classes.lookers} role="img" aria-label={label}>
        {userIds.slice(0, mostShown).map((userId) => (
          <span
            key={userId}
            className={classes.one}
            style={{ '--looker-hue': hueOf(userId) } as CSSProperties}
            aria-hidden
          >
            {initialsOf(userId, colleagues)}
          </span>
        ))}
        {userIds.length > mostShown && (
          <span className={classes.one} aria-hidden>
            +{userIds.length - mostShown}
          </span>
        )}
      </span>
    </Hint>
  );
}

/** The same colour for the same person everywhere. */
function hueOf(userId: string): number {
  let hash = 0;
  for (const character of userId) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return hash;
}
