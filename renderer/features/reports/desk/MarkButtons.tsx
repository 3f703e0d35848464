import { i18n } from '@lingui/core';
import { ActionIcon, type ButtonProps, Kbd, Menu } from '@mantine/core';
import { IconArrowBackUp, IconChevronDown, IconEyeCheck, IconEyeOff, IconUrgent } from '@tabler/icons-react';
import { type ReportState, type Verdict, verdicts } from '../../../../shared/team/entries.ts';
import { ButtonMenu } from '../../../components/ButtonMenu.tsx';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { useConsole } from '../../../console-context.ts';
import { number } from '../../../words/format.ts';
import classes from './MarkButtons.module.css';

export type OnMark = (state: 'reviewed' | 'escalated', verdict?: Verdict) => void;

export const verdictKeys: Record<Verdict, string> = { upheld: 'y', not_upheld: 'u', duplicate: '=' };

export function resolveAs(verdict: Verdict): string {
  switch (verdict) {
    case 'upheld':
      return i18n.t('Resolve as upheld');
    case 'not_upheld':
      return i18n.t('Resolve as not upheld');
    case 'duplicate':
      return i18n.t('Resolve as duplicate');
  }
}

type Props = {
  /** State of the report or the selection; `open` if they differ. */
  state: ReportState;
  onMark: OnMark;
  /** Opens the message to the reporters. */
  onMessage?: (() => void) | undefined;
  /** Verdict of the resolved report. */
  verdict?: Verdict | undefined;
  look: ButtonProps;
  /** Whether their keys act on the same reports. */
  withKeys: boolean;
  /** Highlights the resolve button. */
  isPrimary?: boolean;
  /** Number of selected reports; undefined for the open one. */
  count?: number;
};

/** Buttons to resolve and escalate; pressing the active one reopens. */
export function MarkButtons({ state, verdict, onMark, onMessage, look, withKeys, isPrimary, count }: Props) {
  const isReviewed = state === 'reviewed';
  const isEscalated = state === 'escalated';
  const ofMany = (label: string) => (count === undefined ? label : `${label} (${number(count)})`);
  const review = ofMany(isReviewed ? i18n.t('Reopen') : i18n.t('Resolve'));
  const escalate = ofMany(isEscalated ? i18n.t('Remove escalation') : i18n.t('Escalate'));
  return (
    <>
      <Hint label={withKeys ? `${review} · ${isReviewed ? 't' : 'e'}` : review}>
        <ButtonWithIcon
          {...look}
          {...(isPrimary && { className: classes.primary, variant: isReviewed ? 'light' : 'filled' })}
          icon={isReviewed ? IconEyeOff : IconEyeCheck}
          rightSection={withKeys && <Key>{isReviewed ? 't' : 'e'}</Key>}
          // The second click of a double click would resolve the next report.
          onClick={({ detail }) => detail < 2 && onMark('reviewed')}
        >
          {review}
        </ButtonWithIcon>
      </Hint>
      <ButtonMenu
        button={
          <ActionIcon
            variant="default"
            size={look.size === 'compact-xs' ? 22 : 30}
            aria-label={i18n.t('Resolve with verdict')}
            title={i18n.t('Resolve with verdict')}
          >
            <IconChevronDown size={14} stroke={1.7} />
          </ActionIcon>
        }
      >
        <Menu.Dropdown>
          {verdicts.map((each) => (
            <Menu.Item
              key={each}
              disabled={isReviewed && each === verdict}
              rightSection={withKeys && <Key>{verdictKeys[each]}</Key>}
              onClick={() => onMark('reviewed', each)}
            >
              {resolveAs(each)}
            </Menu.Item>
          ))}
          {onMessage && (
            <>
              <Menu.Divider />
              <Menu.Item rightSection={withKeys && <Key>E</Key>} onClick={onMessage}>
                {isReviewed ? i18n.t('Message reporters…') : i18n.t('Resolve and message reporters…')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </ButtonMenu>
      <Hint label={withKeys ? `${escalate} · ${isEscalated ? 't' : '!'}` : escalate}>
        <ButtonWithIcon
          {...look}
          icon={isEscalated ? IconArrowBackUp : IconUrgent}
          rightSection={withKeys && <Key>{isEscalated ? 't' : '!'}</Key>}
          onClick={({ detail }) => detail < 2 && onMark('escalated')}
        >
          {escalate}
        </ButtonWithIcon>
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
