import {
  IconAlertTriangle,
  IconCircleCheck,
  IconExclamationCircle,
  type IconProps,
} from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import type { Tone } from '../../components/State.tsx';
import { NoSuchEndpoint, NotFound } from '../../transport/refusal.ts';
import classes from './Home.module.css';

type Props = {
  title: string;
  /** The screen that the title links to. */
  link?: LinkProps;
  /** `danger`: failed; `warning`: late, or needs a decision. */
  tone?: Tone | undefined;
  /** Takes its own row. */
  isWide?: true;
  children: ReactNode;
};

export function HomeCard({ title, link, tone, isWide, children }: Props) {
  return (
    <section className={classes.card} data-tone={tone} data-wide={isWide} aria-label={title}>
      <h2 className={classes.cardTitle}>
        {link ? (
          <Link {...link} className={classes.way}>
            {title}
          </Link>
        ) : (
          title
        )}
      </h2>
      {children}
    </section>
  );
}

const icons: Partial<Record<Tone, ComponentType<IconProps>>> = {
  success: IconCircleCheck,
  warning: IconExclamationCircle,
  danger: IconAlertTriangle,
};

/** Renders a state as text, with an icon and a color. */
export function Verdict({ tone, isMain, children }: { tone: Tone; isMain?: true; children: ReactNode }) {
  const VerdictIcon = icons[tone];
  return (
    <p className={classes.verdict} data-tone={tone} data-main={isMain}>
      {VerdictIcon && <VerdictIcon size={isMain ? 18 : 15} stroke={1.8} aria-hidden />}
      <span>{children}</span>
    </p>
  );
}

/** A card and how its server part is doing; no tone while that is loading. */
export type StatusCard = { tone: Tone | undefined; card: ReactElement };

type Query<Data> = { data: Data | undefined; error: Error | null };

/** Returns the tone for the loaded data. A card that failed to load keeps its place. */
export function toneOf<Data>({ data, error }: Query<Data>, of: (data: Data) => Tone): Tone | undefined {
  if (data !== undefined) return of(data);
  return error ? 'neutral' : undefined;
}

/** Whether the server lacks the query's resource. */
export const isUnsupported = ({ data, error }: Query<unknown>) =>
  data === undefined && (error instanceof NoSuchEndpoint || error instanceof NotFound);

const ranks: Record<Tone, number> = { danger: 0, warning: 1, info: 2, neutral: 2, success: 2 };

/** Sorts trouble first, once all are known: cards would jump while they load. */
export function byTrouble(cards: readonly StatusCard[]): readonly StatusCard[] {
  if (cards.some(({ tone }) => tone === undefined)) return cards;
  const rank = ({ tone = 'neutral' }: StatusCard) => ranks[tone];
  return cards.toSorted((one, other) => rank(one) - rank(other));
}
