import { memo } from 'react';
import { SisterScreens } from '../../../components/SisterScreens.tsx';
import { useServer } from '../../../console-context.ts';
import { useUnreviewed, useUnreviewedFiled } from '../../../team/unreviewed.ts';

/** What reports can be on, with how many of each wait. */
export const ReportKinds = memo(function ReportKinds() {
  const server = useServer();
  const onEvents = useUnreviewed(server);
  const { user, room } = useUnreviewedFiled(server);
  return (
    <SisterScreens
      of="reports"
      waiting={{ '/reports': onEvents, '/reports/users': user, '/reports/rooms': room }}
    />
  );
});
