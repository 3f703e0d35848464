import { i18n } from '@lingui/core';
import { Button, type ButtonProps, Kbd } from '@mantine/core';
import { IconArrowBackUp, IconEyeCheck, IconEyeOff, IconUrgent } from '@tabler/icons-react';
import { Hint } from '../../../components/Hint.tsx';
import { useConsole } from '../../../console-context.ts';
import type { ReportState } from '../../../team/entries.ts';
import { number } from '../../../words/format.ts';

type Props = {
  /** Of the report, or of all that are selected; `open` where they differ. */
  state: ReportState;
  onMark: (state: 'reviewed' | 'escalated') => void;
  /** How they look where they stand. */
  look: ButtonProps;
  /** Whether their keys act on the same reports. */
  withKeys: boolean;
  /** How many reports are selected; left out for the open one. */
  count?: number;
};

/** What a report can be marked as; what it is already is taken back by the same button. */
export function MarkButtons({ state, onMark, look, withKeys, count }: Props) {
  const isReviewed = state === 'reviewed';
  const isEscalated = state === 'escalated';
  const ofMany = (label: string) => (count === undefined ? label : `${label} (${number(count)})`);
  const review = ofMany(isReviewed ? i18n.t('Reopen') : i18n.t('Resolve'));
  const escalate = ofMany(isEscalated ? i18n.t('Remove escalation') : i18n.t('Escalate'));
  const [Review, Escalate] = [
    isReviewed ? IconEyeOff : IconEyeCheck,
    isEscalated ? IconArrowBackUp : IconUrgent,
  ];
  return (
    <>
      <Hint label={withKeys ? `${review} · ${isReviewed ? 't' : 'e'}` : review}>
        <Button
          {...look}
          leftSection={<Review size={14} stroke={1.7} />}
          rightSection={withKeys && <Key>{isReviewed ? 't' : 'e'}</Key>}
          // The second click of a double click would meet the next report, which nobody has looked at.
          onClick={({ detail }) => detail < 2 && onMark('reviewed')}
        >
          {review}
        </Button>
      </Hint>
      <Hint label={withKeys ? `${escalate} · ${isEscalated ? 't' : '!'}` : escalate}>
        <Button
          {...look}
          leftSection={<Escalate size={14} stroke={1.7} />}
          rightSection={withKeys && <Key>{isEscalated ? 't' : '!'}</Key>}
          onClick={({ detail }) => detail < 2 && onMark('escalated')}
        >
          {escalate}
        </Button>
      </Hint>
    </>
  );
}

const Key = ({ children }: { children: string }) =>
  useConsole().commands.characterKeys.read() && (
    <Kbd size="xs" aria-hidden>
      {children}
    </Kbd>
  );
