import { i18n } from '@lingui/core';
import { Button, Kbd, Modal, UnstyledButton } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import type { ReportKind } from '../../../../shared/team/entries.ts';
import { policyKind, usablePolicies } from '../../../../shared/team/policies.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { severityName } from '../../../team/case-words.ts';
import { useTeamValue } from '../../../team/use-team.ts';
import { AlsoViewing } from '../../../team/Viewers.tsx';
import classes from './PolicyPanel.module.css';

type Props = {
  /** Number of reports to resolve. */
  count: number;
  /** Colleagues who are viewing one of them are named. */
  viewed?: readonly { of: ReportKind; id: number }[];
  /** Gets the policy's key, or undefined for none. */
  onChoose: (policy: string | undefined) => void;
  onClose: () => void;
};

/** Asks for the policy that a decision is based on: one key each. */
export function PolicyPanel({ count, viewed = [], onChoose, onClose }: Props) {
  const policies = usablePolicies(useTeamValue((team) => team.documents(policyKind)));

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const policy = /^[1-9]$/.test(event.key) ? policies[Number(event.key) - 1] : undefined;
    if (!policy) return;
    event.preventDefault();
    event.stopPropagation();
    onChoose(policy.key);
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={i18n.t('{count, plural, one {Resolve as upheld} other {Resolve # reports as upheld}}', {
        count,
      })}
      size="sm"
      onKeyDown={onKeyDown}
    >
      <AlsoViewing reports={viewed} />
      <p className={classes.question}>{i18n.t('Choose the policy that the decision rests on.')}</p>
      <ul className={classes.list}>
        {policies.map(({ key, name, severity }, index) => (
          <li key={key}>
            <UnstyledButton className={classes.policy} onClick={() => onChoose(key)}>
              {index < 9 ? <Kbd size="xs">{index + 1}</Kbd> : <span />}
              <span className={classes.name}>
                <HazardText text={name} />
              </span>
              <span className={classes.severity} data-urgent={severity === 'urgent' || undefined}>
                {severityName(severity)}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <Button
        data-autofocus
        variant="default"
        rightSection={
          <Kbd size="xs" aria-hidden>
            ↵
          </Kbd>
        }
        onClick={() => onChoose(undefined)}
      >
        {i18n.t('No policy')}
      </Button>
    </Modal>
  );
}
