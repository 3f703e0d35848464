import { i18n } from '@lingui/core';
import { IconTrashX } from '@tabler/icons-react';
import { FailureMessage } from '../../../components/FailureMessage.tsx';
import { StateMessage } from '../../../components/StateMessage.tsx';

/** In the place of a report that the server does not have. */
export const ReportGone = ({ reportId }: { reportId: number }) => (
  <StateMessage
    icon={<IconTrashX size={24} stroke={1.5} />}
    title={i18n.t('Report {reportId} is gone', { reportId })}
    description={i18n.t('It was deleted, here or by someone else, or the address is of another server.')}
  />
);

type Query = { error: Error | null; isFetching: boolean; refetch: () => unknown };

/** In the place of a report that didn't come. */
export const ReportFailure = ({ query }: { query: Query }) => (
  <FailureMessage
    title={i18n.t('The report could not be loaded')}
    error={query.error ?? new Error('no reply')}
    onRetry={() => query.refetch()}
    retrying={query.isFetching}
  />
);
