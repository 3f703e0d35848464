import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconCircleCheck, IconQuestionMark } from '@tabler/icons-react';
import type { UpgradePlan } from '../../../shared/api/upgrade-plan.ts';
import { newestRelease } from '../../../shared/upgrade/changes/changes.ts';
import { planTitle } from '../../../shared/upgrade/summary.ts';
import { formatVersion } from '../../../shared/upgrade/version.ts';
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

/** In the list's place where there is nothing to follow: the versions are equal, or there is no way back. */
export function NothingToDo({ plan, onTarget }: { plan: UpgradePlan; onTarget: (to: string) => void }) {
  const { direction, from, direct, warnings } = plan;
  if (direction === 'none') {
    const isNewest = from === formatVersion(newestRelease);
    return (
      <StateMessage
        icon={<IconCircleCheck size={24} stroke={1.5} />}
        title={planTitle(plan, i18n.t)}
        description={
          warnings.join(' ') ||
          (plan.config.length > 0 &&
            i18n.t('But the configuration has what should have changed before: it is listed above.')) ||
          (isNewest
            ? i18n.t('It is the newest release that this console knows.')
            : i18n.t('Choose another version to go to.'))
        }
      />
    );
  }
  const lowest = direct.rollback?.lowest_safe ?? undefined;
  return (
    <StateMessage
      role="alert"
      icon={<IconArrowBackUp size={24} stroke={1.5} />}
      title={planTitle(plan, i18n.t)}
      description={direct.rollback?.text}
    >
      {lowest !== undefined && lowest !== from && (
        <Button variant="default" onClick={() => onTarget(lowest)}>
          {i18n.t('Plan the way back to v{lowest}', { lowest })}
        </Button>
      )}
    </StateMessage>
  );
}
