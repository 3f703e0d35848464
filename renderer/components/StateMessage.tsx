import type { ReactNode } from 'react';
import classes from './StateMessage.module.css';

type Props = {
  icon: ReactNode;
  title: string;
  description: ReactNode;
  /** `alert` where something went wrong. */
  role?: 'alert' | 'status';
  /** In the place of a whole screen, whose heading it is. */
  isScreen?: boolean;
  /** What the person can do about it. */
  children?: ReactNode;
};

/** A screen or a panel that has nothing else to show: says why, and what to do. */
export function StateMessage({ icon, title, description, role = 'status', isScreen, children }: Props) {
  const Heading = isScreen ? 'h1' : 'h2';
  return (
    <div className={classes.root} role={role}>
      <span className={classes.icon} data-role={role} aria-hidden>
        {icon}
      </span>
      <Heading className={classes.title}>{title}</Heading>
      <div className={classes.description}>{description}</div>
      {children && <div className={classes.actions}>{children}</div>}
    </div>
  );
}
