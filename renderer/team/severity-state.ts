import { IconChevronDown, IconChevronsUp, IconChevronUp, IconEqual } from '@tabler/icons-react';
import type { Severity } from '../../shared/team/entries.ts';
import type { State } from '../components/State.tsx';
import { severityName } from './case-words.ts';

const looks: Record<Severity, Pick<State, 'tone' | 'icon'>> = {
  urgent: { tone: 'danger', icon: IconChevronsUp },
  high: { tone: 'danger', icon: IconChevronUp },
  medium: { tone: 'warning', icon: IconEqual },
  low: { tone: 'neutral', icon: IconChevronDown },
};

export const severityState = (severity: Severity): State => ({
  words: severityName(severity),
  ...looks[severity],
});
