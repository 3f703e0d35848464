import { i18n } from '@lingui/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import { currentEventQuery, laterEventsQuery } from '../../../api/event-context.ts';
import { type Poll, pollAnswers, readPoll } from '../../../components/event/message-content.ts';
import { amount, object, text } from '../../../components/event/read-json.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { useServer } from '../../../console-context.ts';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { ellipsize } from '../../../words/clip.ts';
import { number } from '../../../words/format.ts';
import classes from './PollVotes.module.css';
import { ScanMore } from './SinceThen.tsx';

// Results of a poll. Matrix specification, "Polls" (MSC3381).

const pollReplyTypes = [
  'm.poll.response',
  'org.matrix.msc3381.poll.response',
  'm.poll.end',
  'org.matrix.msc3381.poll.end',
];

type Tally = {
  /** Number of users with a valid vote. */
  voters: number;
  /** By answer ID. */
  votes: ReadonlyMap<string, number>;
  hasEnded: boolean;
};

/**
 * Counts each user's last vote before the end of the poll. Votes for unknown answers count for none. The poll's sender
 * can end it.
 *
 * @param later events after the poll, in any order
 */
function tallyOf(event: JsonObject, poll: Poll, later: readonly JsonObject[]): Tally {
  const replies = later
    .filter((reply) => object(object(reply.content)?.['m.relates_to'])?.event_id === event.event_id)
    .sort((one, other) => sentAt(one) - sentAt(other));
  const end = replies.find(({ type, sender }) => isEnd(type) && sender === event.sender);
  const answers = new Set(poll.answers.map(({ id }) => id));
  const chosen = new Map<unknown, string[]>();
  for (const reply of replies) {
    if (isEnd(reply.type) || (end && sentAt(reply) > sentAt(end))) continue;
    const ids = [...new Set(pollAnswers(object(reply.content) ?? {}))].slice(0, poll.maxChoices);
    chosen.set(reply.sender, ids.every((id) => answers.has(id)) ? ids : []);
  }
  const votes = new Map<string, number>();
  for (const id of [...chosen.values()].flat()) votes.set(id, (votes.get(id) ?? 0) + 1);
  const voters = [...chosen.values()].filter((ids) => ids.length > 0).length;
  return { voters, votes, hasEnded: end !== undefined };
}

const isEnd = (type: unknown) => text(type)?.endsWith('poll.end') ?? false;
const sentAt = ({ origin_server_ts }: JsonObject) => amount(origin_server_ts) ?? 0;

/** Results of a poll, from the events after it. */
export function PollVotes({ report }: { report: EventReportDetail }) {
  const server = useServer();
  const poll = readPoll(object(report.event_json.content) ?? {});
  const now = useQuery(currentEventQuery(server, report.room_id, report.event_id));
  if (!poll) return null;
  return (
    <Loaded
      query={now}
      loading={i18n.t('Loading votes…')}
      notFound={i18n.t('Event unavailable. Its room or history was purged.')}
    >
      {({ end }) => <Votes report={report} poll={poll} from={end} />}
    </Loaded>
  );
}

type Props = {
  report: EventReportDetail;
  poll: Poll;
  /** Pagination token after the poll. */
  from: string | undefined;
};

function Votes({ report, poll, from }: Props) {
  const query = useInfiniteQuery({
    ...laterEventsQuery(useServer(), report.room_id, report.event_id, {
      types: pollReplyTypes,
      from: from ?? '',
    }),
    enabled: from !== undefined,
  });
  if (query.isLoading) return <span className={classes.note}>{i18n.t('Loading votes…')}</span>;
  const later = query.data?.pages.flatMap(({ events }) => events) ?? [];
  const event = { ...report.event_json, event_id: report.event_id };
  const { voters, votes, hasEnded } = tallyOf(event, poll, later);
  const most = Math.max(1, ...votes.values());
  return (
    <div className={classes.votes}>
      <span>
        {i18n.t('{voters, plural, =0 {No votes.} one {# voter.} other {# voters.}}', {
          voters,
        })}{' '}
        {hasEnded ? i18n.t('Poll ended.') : i18n.t('Poll open.')}
      </span>
      <ul className={classes.answers} aria-label={i18n.t('Votes')}>
        {poll.answers.map(({ id, text }, index) => {
          const count = votes.get(id) ?? 0;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: hostile IDs may repeat, and answers keep their order
            <li key={index}>
              <span className={classes.answer}>
                <HazardText text={ellipsize(text, 200) || i18n.t('(empty)')} />
              </span>
              <span className={classes.bar} aria-hidden>
                <span style={{ width: `${(100 * count) / most}%` }} />
              </span>
              <span className={classes.count}>{number(count)}</span>
            </li>
          );
        })}
      </ul>
      <ScanMore
        query={query}
        failed={(why) => i18n.t("Couldn't load all votes: {why}", { why })}
        partly={i18n.t('Only the next {count} events were checked.', {
          count: number(later.length),
        })}
        further={i18n.t('Load more')}
      />
    </div>
  );
}
