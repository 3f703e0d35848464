import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { eventNowQuery } from '../../../api/event-context.ts';
import { EventView } from '../../../components/event/EventView.tsx';
import { text } from '../../../components/event/read-json.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { useServer } from '../../../console-context.ts';
import { Loaded } from '../../../subjects/Loaded.tsx';
import classes from './ReportDetail.module.css';

/** The event that the reported one is about. */
export function OtherEvent({ roomId, eventId }: { roomId: string; eventId: string }) {
  const query = useQuery(eventNowQuery(useServer(), roomId, eventId));
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading the message…')}
      gone={i18n.t('The server no longer has this event: its room or its history was purged.')}
    >
      {({ event }) => (
        <div className={classes.message}>
          <header className={classes.byline}>
            <strong>
              <HazardText text={text(event.sender) ?? i18n.t('Unknown sender')} />
            </strong>
          </header>
          <EventView event={event} />
        </div>
      )}
    </Loaded>
  );
}
