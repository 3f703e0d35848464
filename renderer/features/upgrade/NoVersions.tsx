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
        title={i18n.t('From which version to which?')}
        description={i18n.t('The plan is here as soon as both versions above can be read.')}
      />
    );
  }
  if (versionQuery.isPending) return <LoadingNote text={i18n.t("Loading the server's version…")} />;
  return (
    <FailureMessage
      title={i18n.t("The server's version could not be loaded")}
      error={versionQuery.error ?? new Error('no reply')}
      onRetry={() => versionQuery.refetch()}
      retrying={versionQuery.isFetching}
    />
  );
}
