import type { ReactNode } from 'react';
import classes from './Page.module.css';

type Props = { title: string; description?: string; children: ReactNode };

/** Renders a screen as one column of text width. */
export function Page({ title, description, children }: Props) {
  return (
    <div className={classes.page}>
      <div className={classes.column}>
        <h1 className={classes.title}>{title}</h1>
        {description && <p className={classes.description}>{description}</p>}
        <div className={classes.sections}>{children}</div>
      </div>
    </div>
  );
}

type SectionProps = Props & {
  /** The fragment of links to it. */
  id?: string;
};

export function PageSection({ id, title, description, children }: SectionProps) {
  return (
    <section id={id} className={classes.section} aria-label={title}>
      <div>
        <h2 className={classes.heading}>{title}</h2>
        {description && <p className={classes.note}>{description}</p>}
      </div>
      <div className={classes.content}>{children}</div>
    </section>
  );
}
