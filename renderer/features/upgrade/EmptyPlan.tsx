import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconCircleCheck } from '@tabler/icons-react';
import type { UpgradePlan } from '../../../shared/api/upgrade-plan.ts';
import { StateMessage } from '../../components/LoadStates.tsx';

type Props = {
  plan: UpgradePlan;
  title: string;
  /** Whether the planner knows no newer release than the running one. */
  isNewest: boolean;
  onTarget: (to: string) => void;
};

/** Replaces the list for a plan without steps: equal versions, or no rollback. */
export function EmptyPlan({ plan, title, isNewest, onTarget }: Props) {
  const { direction, from, direct, warnings } = plan;
  if (direction === 'none') {
    return (
      <StateMessage
        icon={<IconCircleCheck size={24} stroke={1.5} />}
        title={title}
        description={
          warnings.join(' ') ||
          (plan.config.length > 0 && i18n.t('But overdue configuration changes are listed above.')) ||
          (isNewest
            ? i18n.t('Newest version known to this console.')
            : i18n.t('Choose another target version.'))
        }
      />
    );
  }
  const lowest = direct.rollback?.lowest_safe ?? undefined;
  return (
    <StateMessage
      role="alert"
      icon={<IconArrowBackUp size={24} stroke={1.5} />}
      title={title}
      description={direct.rollback?.text}
    >
      {lowest !== undefined && lowest !== from && (
        <Button variant="default" onClick={() => onTarget(lowest)}>
          {i18n.t('Plan rollback to v{lowest}', { lowest })}
        </Button>
      )}
    </StateMessage>
  );
}
