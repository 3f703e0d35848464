import { i18n } from '@lingui/core';
import { Button, TextInput } from '@mantine/core';
import { IconArrowBarToDown, IconCalendarSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { conversationQuery } from '../../../api/event-context.ts';
import { eventAtTime } from '../../../api/purge-history.ts';
import { MediaReveal } from '../../../components/media/MediaReveal.tsx';
import { useCommands, useServer } from '../../../console-context.ts';
import { namesOf, uniqueEvents } from '../../../subjects/conversation/conversation-events.ts';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { failureSentence } from '../../../transport/refusal.ts';
import { MessageList } from './MessageList.tsx';
import classes from './RoomMessages.module.css';

const perPage = 50;

/** Shows the room's latest messages, or those around an event. */
export function RoomMessages({ roomId }: { roomId: string }) {
  const server = useServer();
  const { event: eventId } = useSearch({ from: '/frame/server/rooms/$roomId' });
  const query = useInfiniteQuery(conversationQuery(server, roomId, eventId, perPage));
  const { data } = query;
  const events = useMemo(() => (data ? uniqueEvents(data.pages) : undefined), [data]);
  const names = useMemo(() => namesOf(data?.pages ?? []), [data]);
  return (
    <MediaReveal>
      <JumpForm roomId={roomId} isAtEvent={eventId !== undefined} />
      <Loaded
        query={{ ...query, data: events }}
        loading={i18n.t('Loading messages…')}
        lines={10}
        notFound={i18n.t('Event unavailable. Its room or history was purged.')}
      >
        {(loaded) =>
          loaded.length === 0 ? (
            <p className={classes.note}>{i18n.t('No stored messages')}</p>
          ) : (
            <MessageList
              key={eventId ?? 'end'}
              roomId={roomId}
              events={loaded}
              names={names}
              targetId={eventId}
              query={query}
            />
          )
        }
      </Loaded>
    </MediaReveal>
  );
}

function JumpForm({ roomId, isAtEvent }: { roomId: string; isAtEvent: boolean }) {
  const server = useServer();
  const navigate = useNavigate({ from: '/rooms/$roomId' });
  const field = useRef<HTMLInputElement>(null);
  const [date, setDate] = useState('');
  const show = (event: string | undefined) => navigate({ search: (current) => ({ ...current, event }) });
  const jump = useMutation({
    mutationFn: async (at: number) =>
      (await eventAtTime(server, roomId, { at, dir: 'f' })) ??
      (await eventAtTime(server, roomId, { at, dir: 'b' })),
    onSuccess: (match) => match && show(match.eventId),
  });
  const label = i18n.t('Jump to date');
  useCommands([
    {
      id: 'jump to date',
      label,
      group: i18n.t('Messages'),
      keys: ['g'],
      icon: <IconCalendarSearch size={17} stroke={1.6} />,
      run: () => field.current?.focus(),
    },
    ...(isAtEvent
      ? [
          {
            id: 'jump to end',
            label: i18n.t('Jump to latest messages'),
            group: i18n.t('Messages'),
            keys: ['G'],
            icon: <IconArrowBarToDown size={17} stroke={1.6} />,
            run: () => show(undefined),
          },
        ]
      : []),
  ]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const at = new Date(date).getTime();
    if (!Number.isNaN(at)) jump.mutate(at);
  }

  return (
    <form className={classes.jump} onSubmit={submit}>
      <TextInput
        ref={field}
        type="datetime-local"
        max="9999-12-31T23:59"
        aria-label={label}
        value={date}
        onChange={(event) => setDate(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={jump.isPending} disabled={date === ''}>
        {label}
      </Button>
      {isAtEvent && (
        <Button variant="subtle" onClick={() => show(undefined)}>
          {i18n.t('Jump to latest messages')}
        </Button>
      )}
      <span role="status" className={classes.status}>
        {jump.error
          ? failureSentence(jump.error)
          : jump.isSuccess && jump.data === undefined && i18n.t('No stored messages')}
      </span>
    </form>
  );
}
