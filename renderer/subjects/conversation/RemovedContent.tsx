import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { storedEventQuery } from '../../api/event-context.ts';
import { EventView } from '../../components/event/EventView.tsx';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../Loaded.tsx';

/** What a removed event said, where the server still has it: for a while servers keep it for just this. */
export function RemovedContent({ eventId }: { eventId: string }) {
  const query = useQuery(storedEventQuery(useServer(), eventId));
  return (
    <Loaded query={query} loading={i18n.t('Loading content…')} gone={i18n.t('Content no longer available.')}>
      {(event) => <EventView event={event} />}
    </Loaded>
  );
}
