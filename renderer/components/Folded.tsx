import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import classes from './Folded.module.css';

/** Shows the beginning of what is too long, and the whole on request. */
export function Folded({ size, children }: { size: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const [long, setLong] = useState(false);
  const content = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = content.current;
    if (!element) return;
    const measure = () => setLong(element.scrollHeight > element.parentElement!.clientHeight + 1);
    const observer = new ResizeObserver(() => !open && measure());
    observer.observe(element);
    return () => observer.disconnect();
  }, [open]);

  return (
    <div>
      <div className={classes.window} data-open={open || undefined} data-long={(long && !open) || undefined}>
        <div ref={content}>{children}</div>
      </div>
      {long && (
        <UnstyledButton className={classes.button} onClick={() => setOpen(!open)} aria-expanded={open}>
          {open ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
          {open ? 'Show less' : `Show all (${size})`}
        </UnstyledButton>
      )}
    </div>
  );
}
