import { i18n } from '@lingui/core';
import { IconQuestionMark } from '@tabler/icons-react';
import { FailureMessage } from '../../components/FailureMessage.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import type { PlanModel } from './use-upgrade-plan.ts';

/** In the plan's place while the two versions aren't known. */
export function NoVersions({ model }: { model: PlanModel }) {
  const { from, to, versionQuery } = model;
  if (from?.error || to.error) {
    return (
      <StateMessage
        icon={<IconQuestionMark size={24} stroke={1.5} />}
        title={i18n.t('Choose versions')}
        description={i18n.t('Enter two valid versions above.')}
      />
    );
  }
  if (versionQuery.isPending) return <LoadingNote text={i18n.t('Loading server version…')} />;
  return (
    <FailureMessage
      title={i18n.t("Couldn't load server version")}
      error={versionQuery.error ?? new Error('no reply')}
      onRetry={() => versionQuery.refetch()}
      retrying={versionQuery.isFetching}
    />
  );
}
