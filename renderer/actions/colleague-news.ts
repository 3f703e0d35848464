/** What colleagues do while this page is open: what it shows is asked for again, and marks that lost are corrected. */
import { i18n } from '@lingui/core';
import type { QueryClient } from '@tanstack/react-query';
import { shortId } from '../components/short-id.ts';
import type { ActionEntry, Logged, Subject } from '../team/entries.ts';
import { apart, isFirm, subjectsOf } from '../team/fold.ts';
import { teamOf } from '../team/team-store.ts';
import type { Server } from '../transport/server.ts';
import { serverName } from '../transport/server-name.ts';
import { actionById } from './catalogue/catalogue.ts';
import { refresh } from './jobs/refresh.ts';
import type { Item } from './subject.ts';
import { noticeOfMarks } from './undo-marks.ts';

/** Returns a function that stops it. */
export const followColleagues = (server: Server, queryClient: QueryClient) =>
  teamOf(server).onNews((entries) => {
    for (const { body } of entries) if (body.type === 'action') void refreshFor(server, queryClient, body);
    for (const entry of entries.flatMap(apart)) void correctMarks(server, entry);
  });

type Acted = Omit<ActionEntry, 'by' | 'at'>;

/** As after this console's own action; the part of a subject is in the detail. */
async function refreshFor(server: Server, queryClient: QueryClient, entry: Acted) {
  if (entry.outcome === 'failed') return;
  const changes = [...(actionById(entry.action)?.changes ?? []), ...(entry.detail ? [entry.detail] : [])];
  for (const item of subjectsOf(entry).flatMap(itemOf)) refresh(queryClient, server.id, item, changes);
}

function itemOf(subject: Subject): Item[] {
  switch (subject.kind) {
    case 'user':
    case 'room':
    case 'event':
      return [subject];
    default:
      return [];
  }
}

/** Both decided without having seen the other's mark, and the escalation holds. */
async function correctMarks(server: Server, { by, body }: Logged) {
  if (body.type !== 'mark' || body.state !== 'escalated' || body.seen === undefined) return;
  const marks = teamOf(server).snapshot().marksOf[body.of ?? 'report'];
  const lost = body.reports.filter((id) => {
    const mark = marks.get(id);
    return mark?.by === server.connection.userId && !isFirm(mark) && body.seen !== mark.state;
  });
  const [id] = lost;
  if (id === undefined) return;
  noticeOfMarks(
    i18n.t('{count, plural, one {Report {id} stays} other {# reports stay}} escalated (also by {by})', {
      count: lost.length,
      id,
      by: shortId(by, serverName(server.connection)),
    }),
  );
}
