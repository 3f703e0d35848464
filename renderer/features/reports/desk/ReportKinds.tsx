import { memo } from 'react';
import { SisterScreens } from '../../../components/SisterScreens.tsx';
import { useServer } from '../../../console-context.ts';
import { useEscalated, useUnreviewed, useUnreviewedFiled } from '../../../team/unreviewed.ts';

/** What reports can be on, with how many of each wait. */
export const ReportKinds = memo(function ReportKinds() {
  const server = useServer();
  const onEvents = useUnreviewed(server);
  const { user, room } = useUnreviewedFiled(server);
  const escalated = useEscalated(server);
  const waiting = (open: number | undefined, kind: keyof typeof escalated) =>
    open === undefined ? undefined : open + escalated[kind];
  return (
    <SisterScreens
      of="reports"
      waiting={{
        '/reports': waiting(onEvents, 'event'),
        '/reports/users': waiting(user, 'user'),
        '/reports/rooms': waiting(room, 'room'),
      }}
    />
  );
});
