import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { eventNowQuery } from '../../../api/event-context.ts';
import { EventView } from '../../../components/event/EventView.tsx';
import { placeInConversation } from '../../../components/event/place-in-conversation.ts';
import { text } from '../../../components/event/read-json.ts';
import { Identity } from '../../../components/Identity.tsx';
import { useServer } from '../../../console-context.ts';
import { Loaded } from '../../../subjects/Loaded.tsx';
import classes from './ReportDetail.module.css';

/** The event that the reported one is about. */
export function OtherEvent({ roomId, eventId }: { roomId: string; eventId: string }) {
  const query = useQuery(eventNowQuery(useServer(), roomId, eventId));
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading message…')}
      gone={i18n.t('Event unavailable. Its room or history was purged.')}
    >
      {({ event, names }) => {
        const sender = text(event.sender);
        return (
          <div className={classes.message}>
            <header className={classes.byline}>
              {sender === undefined ? (
                <strong>{i18n.t('Unknown sender')}</strong>
              ) : (
                <span>
                  <Identity id={sender} name={names.get(sender)} />
                </span>
              )}
            </header>
            <EventView event={event} shownBeside={placeInConversation(event).thread} />
          </div>
        );
      }}
    </Loaded>
  );
}
