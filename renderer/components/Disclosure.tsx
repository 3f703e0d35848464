import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import classes from './Disclosure.module.css';

type Props = {
  label: ReactNode;
  /** Shown beside the label, also while closed. */
  facts?: ReactNode;
  children: ReactNode;
  /** Whether it starts open. */
  isOpenAtFirst?: boolean;
  /** Controls it, for a state that outlives it. */
  opened?: boolean;
  onToggle?: (opened: boolean) => void;
};

/** Renders a disclosure; its content mounts on opening. */
export function Disclosure({ label, facts, children, isOpenAtFirst = false, opened, onToggle }: Props) {
  const [ownOpen, setOpen] = useState(isOpenAtFirst);
  const open = opened ?? ownOpen;
  const content = useId();
  return (
    <div className={classes.disclosure}>
      <UnstyledButton
        className={classes.button}
        onClick={() => (onToggle ?? setOpen)(!open)}
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
