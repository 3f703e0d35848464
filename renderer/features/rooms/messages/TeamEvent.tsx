import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import type { JsonObject } from '../../../../shared/api/common.ts';
import { nameOfAction } from '../../../actions/action-words.ts';
import type { RoomEvent } from '../../../api/team-room.ts';
import { EventView } from '../../../components/event/EventView.tsx';
import { text } from '../../../components/event/read-json.ts';
import { Said, Who } from '../../../components/event/Said.tsx';
import type { Logged, ReportKind, Subject } from '../../../team/entries.ts';
import { lookingAt, readEntry } from '../../../team/room-events.ts';
import { number } from '../../../words/format.ts';
import classes from './TeamEvent.module.css';

/** What the team's consoles tell each other in its room, in words; what is not of its shape is shown as it is. */
export function TeamEvent({ event: json }: { event: JsonObject }) {
  const event = asRoomEvent(json);
  const body = readEntry(event)?.body;
  if (body) {
    return (
      <p className={classes.line}>
        <Entry body={body} />
      </p>
    );
  }
  const look = lookingAt(event);
  if (look === undefined) return <EventView event={json} brief />;
  const [of, id] = look?.split(' ') ?? [];
  return (
    <p className={classes.line}>
      {of === undefined
        ? i18n.t('Stopped viewing reports')
        : i18n.t('Viewing {report}', { report: reportsName(of as ReportKind, [Number(id)]) })}
    </p>
  );
}

/** As the team's log reads it; from a room's messages fields may lack. */
const asRoomEvent = (json: JsonObject): RoomEvent => ({
  type: text(json.type) ?? '',
  sender: text(json.sender) ?? '',
  event_id: text(json.event_id) ?? '',
  origin_server_ts: typeof json.origin_server_ts === 'number' ? json.origin_server_ts : 0,
  ...(text(json.state_key) !== undefined && { state_key: text(json.state_key) as string }),
  content: json.content,
});

function Entry({ body }: { body: Logged['body'] }) {
  if (body.type === 'mark') {
    const reports = reportsName(body.of ?? 'report', body.reports);
    switch (body.state) {
      case 'reviewed':
        return i18n.t('Resolved: {reports}', { reports });
      case 'escalated':
        return i18n.t('Escalated: {reports}', { reports });
      case 'open':
        return i18n.t('Reopened: {reports}', { reports });
    }
  }
  const subject = <SubjectName subject={body.subject} />;
  if (body.type === 'note') {
    return <Trans id="Note on {subject}: {text}" values={{ subject, text: <Said text={body.text} /> }} />;
  }
  // Within an element: what looks like a tag in a sentence is taken for one.
  const more = body.others?.length ?? 0;
  const whom =
    more > 0 ? (
      <Trans id="{named} and {more} more" values={{ named: subject, more: number(more) }} />
    ) : (
      subject
    );
  const values = { action: <bdi>{nameOfAction(body)}</bdi>, subject: whom };
  return (
    <>
      {body.outcome === 'done' && <Trans id="“{action}” done: {subject}" values={values} />}
      {body.outcome === 'failed' && <Trans id="“{action}” failed: {subject}" values={values} />}
      {body.outcome === 'undone' && <Trans id="“{action}” undone: {subject}" values={values} />}
      {body.reason && (
        <>
          {' · '}
          <Said text={body.reason} />
        </>
      )}
    </>
  );
}

/** So many are named. */
const mostNamed = 10;

function reportsName(kind: ReportKind, ids: readonly number[]): string {
  const more = ids.length - mostNamed;
  const named = ids.slice(0, mostNamed).join(', ');
  const values = {
    count: ids.length,
    ids: more > 0 ? i18n.t('{named} and {more} more', { named, more: number(more) }) : named,
  };
  switch (kind) {
    case 'report':
      return i18n.t('{count, plural, one {report {ids}} other {reports {ids}}}', values);
    case 'user_report':
      return i18n.t('{count, plural, one {user report {ids}} other {user reports {ids}}}', values);
    case 'room_report':
      return i18n.t('{count, plural, one {room report {ids}} other {room reports {ids}}}', values);
  }
}

function SubjectName({ subject }: { subject: Subject }) {
  switch (subject.kind) {
    case 'user':
      return <Who id={subject.userId} />;
    case 'room':
      return <Who id={subject.roomId} />;
    case 'event':
      return <Who id={subject.eventId} />;
    default:
      return reportsName(subject.kind, [subject.id]);
  }
}
