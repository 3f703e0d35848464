/** Finds the open event reports on content that an action removes, independent of the screen. */
import pLimit from 'p-limit';
import type { EventReportItem } from '../../../shared/api/reports.ts';
import { mediaUris } from '../../../shared/media-uris.ts';
import { maxHeldEvents } from '../../../shared/team/evidence.ts';
import { getMedium } from '../../api/media.ts';
import { askReports, type EventReportFilter, eventReportQuery } from '../../api/reports/event-reports.ts';
import { walkReports } from '../../api/reports/report-walk.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import type { ActionContext } from '../action.ts';
import type { Item } from '../items.ts';
import type { ReportToHold } from './hold-evidence.ts';

/** Scans the list of all reports instead of more lists. */
const maxLists = 10;
/** Older reports aren't scanned. */
const maxScanned = 10_000;
const concurrency = 3;

/** `id` selects everything by a user or in a room, or an event. With `file`, only messages that show it. */
type Content = { id: string; filter: EventReportFilter; file?: string };

/**
 * Returns the open event reports on the items' content, newest first. None for events and files that come from a report,
 * which they name.
 *
 * @throws ConnectionFailure
 */
export async function openReportsOn(
  context: ActionContext,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<ReportToHold[]> {
  const { server, queryClient } = context;
  const turn = pLimit(concurrency);
  const named =
    items.length > maxHeldEvents
      ? items
      : await turn.map(items, (item) => withUploader(server, item, signal));
  const contents = named.flatMap((item) => contentOf(item) ?? []);
  const filters = new Map(contents.map(({ filter }) => [JSON.stringify(filter), filter]));
  const lists = filters.size > maxLists ? [{}] : [...filters.values()];
  const found = await turn.map(lists, (filter) => openReports(context, filter, signal));
  const reports = new Map(found.flat().map((report) => [report.id, report]));

  const byId = Map.groupBy(contents, ({ id }) => id);
  // Their first characters differ.
  const contentsOf = ({ sender, room_id, event_id }: EventReportItem) =>
    [sender ?? '', room_id, event_id].flatMap((id) => byId.get(id) ?? []);
  let loaded = 0;
  const checked = await turn.map(
    [...reports.values()].sort((one, other) => other.id - one.id),
    async (report) => {
      const on = contentsOf(report);
      const isCertain = on.some(({ file }) => file === undefined);
      // Lists don't have the content. More messages can't be held.
      if (isCertain || on.length === 0 || loaded++ >= maxHeldEvents) return isCertain && report;
      const { event_json: event } = await queryClient.fetchQuery(eventReportQuery(server, report.id));
      return mediaUris(event.content).some(({ uri }) => on.some(({ file }) => file === uri)) && report;
    },
  );
  return checked.flatMap((report) => (report ? { id: report.id, eventId: report.event_id } : []));
}

function contentOf(item: Item): Content | undefined {
  switch (item.kind) {
    case 'user':
      return ofUser(item.userId);
    case 'room':
      return ofRoom(item.roomId);
    case 'event':
      if (item.reports && item.reportKind === undefined) return undefined;
      return {
        id: item.eventId,
        filter: { room_id: item.roomId, ...(item.sender && { event_sender_user_id: item.sender }) },
      };
    case 'media':
      if ('eventId' in item.of) return undefined;
      return { ...('userId' in item.of ? ofUser(item.of.userId) : ofRoom(item.of.roomId)), file: item.uri };
  }
}

const ofUser = (userId: string): Content => ({ id: userId, filter: { event_sender_user_id: userId } });
const ofRoom = (roomId: string): Content => ({ id: roomId, filter: { room_id: roomId } });

/** Some lists of files don't know the uploader, and name the admin. */
async function withUploader(server: Server, item: Item, signal: AbortSignal): Promise<Item> {
  if (item.kind !== 'media' || !('userId' in item.of) || item.of.userId !== server.connection.userId)
    return item;
  const medium = await getMedium(server, item.uri, signal).catch(() => undefined);
  return medium?.user_id ? { ...item, of: { userId: medium.user_id } } : item;
}

/** Returns the open reports of a list. */
async function openReports(
  { server, deletedReports }: ActionContext,
  filter: EventReportFilter,
  signal: AbortSignal,
): Promise<EventReportItem[]> {
  const marks = teamOf(server).snapshot().marksOf.report;
  const deleted = deletedReports.of(server.id);
  const open: EventReportItem[] = [];
  let scanned = 0;
  for await (const { reports } of walkReports(askReports(server, filter, signal), 'b')) {
    open.push(...reports.filter(({ id }) => marks.get(id)?.state !== 'reviewed' && !deleted.has(id)));
    scanned += reports.length;
    if (scanned >= maxScanned) break;
  }
  return open;
}
