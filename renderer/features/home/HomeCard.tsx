import { i18n } from '@lingui/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Home.module.css';

type Props = {
  title: string;
  /** The title, as a link to the screen. */
  link: ReactNode;
  /** For a card with a chart. */
  tall?: true;
  children: ReactNode;
};

/** Renders a card of fixed place and size, whatever it loads. */
export function HomeCard({ title, link, tall, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what may scroll has to be reachable by key
    <section className={classes.card} data-tall={tall} aria-label={title} tabIndex={0}>
      <h2 className={classes.cardTitle}>{link}</h2>
      {children}
    </section>
  );
}

export type Tone = 'good' | 'plain' | 'look' | 'grave';

const icons = {
  good: IconCircleCheck,
  plain: IconInfoCircle,
  look: IconAlertTriangle,
  grave: IconAlertTriangle,
};

/** Renders a card's verdict, with an icon. */
export function Verdict({ tone, children }: { tone: Tone; children: ReactNode }) {
  const VerdictIcon = icons[tone];
  return (
    <p className={classes.verdict} data-tone={tone}>
      <VerdictIcon
        size={15}
        stroke={1.8}
        aria-hidden={tone === 'good' || tone === 'plain'}
        aria-label={i18n.t('Warning')}
      />
      <span>{children}</span>
    </p>
  );
}
