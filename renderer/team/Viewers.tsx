import { i18n } from '@lingui/core';
import { IconEye } from '@tabler/icons-react';
import { type CSSProperties, useEffect } from 'react';
import type { ReportKind } from '../../shared/team/entries.ts';
import { HazardText } from '../components/HazardText.tsx';
import { Hint } from '../components/Hint.tsx';
import { useServer } from '../console-context.ts';
import { list } from '../words/format.ts';
import { useAccountNames } from './account-names.ts';
import { initialsOf } from './presence.ts';
import { teamOf } from './team-store.ts';
import { useTeamValue } from './use-team.ts';
import classes from './Viewers.module.css';

const maxShown = 3;

/** Announces to the team that the user is viewing a report while the component is mounted. */
export function useViewing(id: number, of: ReportKind = 'report'): void {
  const store = teamOf(useServer());
  useEffect(() => {
    store.snapshot().setViewing(`${of} ${id}`);
    return () => store.snapshot().setViewing(null);
  }, [store, of, id]);
}

/** Shows the initials of colleagues who are viewing a report. */
export function Viewers({ reportId, of = 'report' }: { reportId: number; of?: ReportKind }) {
  return <Initials userIds={useTeamValue(({ viewers }) => viewers(`${of} ${reportId}`))} />;
}

type ViewersOfAnyProps = { reports: readonly { of: ReportKind; id: number }[] };

/** Shows the initials of colleagues who are viewing any of the reports. */
export function ViewersOfAny({ reports }: ViewersOfAnyProps) {
  return <Initials userIds={useViewersOfAny(reports)} />;
}

/** Warns before a decision that colleagues are viewing any of the reports. */
export function AlsoViewing({ reports }: ViewersOfAnyProps) {
  const userIds = useViewersOfAny(reports);
  const nameOf = useAccountNames(userIds);
  return (
    // Announced when a colleague arrives.
    <span role="status" className={userIds.length > 0 ? classes.also : undefined}>
      {userIds.length > 0 && (
        <>
          <IconEye size={14} stroke={1.7} aria-hidden />
          <HazardText
            text={i18n.t(
              '{count, plural, one {{names} is also viewing this} other {{names} are also viewing this}}',
              {
                count: userIds.length,
                names: list(userIds.map(nameOf)),
              },
            )}
          />
        </>
      )}
    </span>
  );
}

function useViewersOfAny(reports: ViewersOfAnyProps['reports']): string[] {
  // As text: a new list would render again after each change of the team.
  const found = useTeamValue(({ viewers }) =>
    [...new Set(reports.flatMap(({ of, id }) => viewers(`${of} ${id}`)))].sort().join(' '),
  );
  return found.split(' ').filter(Boolean);
}

function Initials({ userIds }: { userIds: readonly string[] }) {
  const room = useTeamValue(({ sync }) => (userIds.length > 0 ? sync.room : undefined));
  if (!room) return null;
  const colleagues = room.is === 'open' ? [...room.room.administrators] : userIds;
  const label = i18n.t('Also viewing: {names}', { names: list(userIds) });
  return (
    <Hint label={label}>
      <span className={classes.viewers} role="img" aria-label={label}>
        {userIds.slice(0, maxShown).map((userId) => (
          <span
            key={userId}
            className={classes.one}
            style={{ '--viewer-hue': hueOf(userId) } as CSSProperties}
            aria-hidden
          >
            {initialsOf(userId, colleagues)}
          </span>
        ))}
        {userIds.length > maxShown && (
          <span className={classes.one} aria-hidden>
            +{userIds.length - maxShown}
          </span>
        )}
      </span>
    </Hint>
  );
}

/** Returns a user's color, the same everywhere. */
function hueOf(userId: string): number {
  let hash = 0;
  for (const character of userId) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return hash;
}
