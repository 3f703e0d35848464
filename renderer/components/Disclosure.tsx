import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import classes from './Disclosure.module.css';

type Props = {
  label: ReactNode;
  /** Shown beside the label, also while closed. */
  facts?: ReactNode;
  children: ReactNode;
};

/** Renders a disclosure; its content mounts on opening. */
export function Disclosure({ label, facts, children }: Props) {
  const [open, setOpen] = useState(false);
  const content = useId();
  return (
    <div className={classes.disclosure}>
      <UnstyledButton
        className={classes.button}
        onClick={() => setOpen(!open)}
        aria-expanded={open}
        aria-controls={content}
      >
        <IconChevronRight size={13} className={classes.chevron} aria-hidden />
        {label}
        {facts !== undefined && <span className={classes.facts}>{facts}</span>}
      </UnstyledButton>
      <div id={content} className={classes.content} hidden={!open}>
        {open && children}
      </div>
    </div>
  );
}
