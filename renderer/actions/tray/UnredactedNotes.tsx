import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { roomQuery } from '../../api/room.ts';
import type { Unredacted } from '../../api/unredacted.ts';
import { inSentence } from '../../components/text-hazards.ts';
import { useServer } from '../../console-context.ts';
import { number } from '../../words/format.ts';
import { ActionBar } from '../bar/ActionBar.tsx';
import type { Job } from '../jobs/job.ts';
import classes from './JobRows.module.css';

const maxListed = 200;

/** Lists the events that a job was to redact and that can still be read, by room, with the way to redact them. */
export function UnredactedNotes({ job }: { job: Job }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const events = useMemo(() => unredactedIn(job), [job]);
  const on = useMemo(() => ({ events: events.filter(({ roomId }) => roomId !== '') }), [events]);
  const open = new Set(events.flatMap(({ reports = [] }) => reports)).size;
  if (events.length === 0) return null;
  return (
    <>
      {[...Map.groupBy(events, ({ roomId }) => roomId)].map(([roomId, those]) => (
        <p key={roomId} className={classes.why} role="alert">
          <StillThere roomId={roomId} count={those.length} />
        </p>
      ))}
      {open > 0 && (
        <p className={classes.note}>
          {i18n.t('{count, plural, one {One related report stays} other {# related reports stay}} open.', {
            count: open,
          })}
        </p>
      )}
      <div className={`${classes.line} ${classes.remedy}`}>
        {on.events.length > 0 && <ActionBar on={on} only={['redact-event']} quiet />}
        <Button variant="subtle" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
          {i18n.t('Show events')}
        </Button>
      </div>
      {isUnfolded && (
        <ul className={classes.failures}>
          {events.slice(0, maxListed).map(({ roomId, eventId, why }) => (
            <li key={eventId}>
              {roomId === '' ? (
                <code>{eventId}</code>
              ) : (
                <Link
                  to="/rooms/$roomId"
                  params={{ roomId }}
                  search={{ part: 'messages', event: eventId }}
                  className={classes.link}
                >
                  <code>{eventId}</code>
                </Link>
              )}{' '}
              {reasonOf(why)}
            </li>
          ))}
          {events.length > maxListed && (
            <li>{i18n.t('and {count} more', { count: number(events.length - maxListed) })}</li>
          )}
        </ul>
      )}
    </>
  );
}

/** Each event once: a step has it, and the marks of its reports. */
function unredactedIn({ items }: Job): Unredacted[] {
  const events = new Map<string, Unredacted>();
  for (const event of items.flatMap(({ unredacted = [] }) => unredacted))
    events.set(event.eventId, { ...events.get(event.eventId), ...event });
  return [...events.values()];
}

function StillThere({ roomId, count }: { roomId: string; count: number }) {
  const { data } = useQuery({ ...roomQuery(useServer(), roomId), enabled: roomId !== '' });
  const shown = number(count);
  if (roomId === '') {
    return i18n.t("{count, plural, one {One event wasn't} other {{shown} events weren't}} redacted.", {
      count,
      shown,
    });
  }
  return (
    <Trans
      id="{count, plural, one {One event in <0>{room}</0> wasn't} other {{shown} events in <0>{room}</0> weren't}} redacted."
      values={{ count, shown, room: inSentence(data?.name || data?.canonical_alias || roomId) }}
      components={[
        <Link
          key="room"
          to="/rooms/$roomId"
          params={{ roomId }}
          search={{ part: 'messages' }}
          className={classes.link}
        />,
      ]}
    />
  );
}

/** Some error messages of Synapse are only a field name in quotes. */
function reasonOf(why: string | undefined): string {
  if (why === undefined) return i18n.t("The server doesn't redact this event type.");
  if (why === "'redacts'") {
    return i18n.t("Messages of suspended users can't be redacted in this room version.");
  }
  return i18n.t('Server error: {why}', { why });
}
