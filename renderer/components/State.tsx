import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './State.module.css';

export type Tone = 'danger' | 'warning' | 'success' | 'info' | 'neutral';

/** `when`: more details, such as the exact start time. */
export type State = { words: string; tone: Tone; icon: Icon; when?: string | undefined };

type Props = State & {
  /** In place of the words. */
  children?: ReactNode;
  /** In the smaller lines of a row. */
  isSmall?: boolean;
};

/** Renders a state: color, icon and word, the same in tables, headings and cards. */
export function StateMark({ words, tone, icon: StateIcon, when, children, isSmall = false }: Props) {
  return (
    <span className={classes.state} data-tone={tone} data-small={isSmall || undefined} title={when}>
      <StateIcon size={isSmall ? 12 : 15} stroke={1.8} aria-hidden />
      <span className={classes.words}>{children ?? words}</span>
    </span>
  );
}

/** Renders states on one line of a table. */
export function States({ states }: { states: readonly State[] }) {
  if (states.length === 0) return null;
  return (
    <span className={classes.states} title={states.map(({ words }) => words).join(' · ')}>
      {states.map((state) => (
        <StateMark key={state.words} {...state} />
      ))}
    </span>
  );
}
