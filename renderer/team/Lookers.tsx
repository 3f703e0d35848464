import { i18n } from '@lingui/core';
import { Tooltip } from '@mantine/core';
import type { CSSProperties } from 'react';
import { list } from '../words/format.ts';
import type { ReportKind } from './entries.ts';
import classes from './Lookers.module.css';
import { useTeam } from './use-team.ts';

const mostShown = 3;

/** Who else looks at a report now, by initials; nothing where nobody does. */
export function Lookers({ reportId, of = 'report' }: { reportId: number; of?: ReportKind }) {
  const userIds = useTeam().lookers(`${of} ${reportId}`);
  if (userIds.length === 0) return null;
  const label = i18n.t(
    '{count, plural, one {{names} looks at this, too} other {{names} look at this, too}}',
    { count: userIds.length, names: list(userIds) },
  );
  return (
    <Tooltip label={label}>
      <span className={classes.lookers} role="img" aria-label={label}>
        {userIds.slice(0, mostShown).map((userId) => (
          <span
            key={userId}
            className={classes.one}
            style={{ '--looker-hue': hueOf(userId) } as CSSProperties}
            aria-hidden
          >
            {initialsOf(userId)}
          </span>
        ))}
        {userIds.length > mostShown && (
          <span className={classes.one} aria-hidden>
            +{userIds.length - mostShown}
          </span>
        )}
      </span>
    </Tooltip>
  );
}

/** `@ada.lovelace:example.org` is AL, `@bob:example.org` is BO. */
function initialsOf(userId: string): string {
  const [localpart = ''] = userId.replace(/^@/, '').split(':', 1);
  const [first = '', second = ''] = localpart.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const initials = second ? [...first].slice(0, 1).concat([...second].slice(0, 1)) : [...first].slice(0, 2);
  return (initials.join('') || '?').toUpperCase();
}

/** The same colour for the same person everywhere. */
function hueOf(userId: string): number {
  let hash = 0;
  for (const character of userId) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return hash;
}
