import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import classes from './Folded.module.css';

type Props = {
  children: ReactNode;
  /** Lines shown while folded. */
  lines?: number | undefined;
} & (
  | { size: string }
  /** What unfolds it, where that isn't all. */
  | { label: string }
);

/** Shows the beginning of what is too long, and the rest on request. */
export function Folded({ children, lines, ...props }: Props) {
  const [open, setOpen] = useState(false);
  const [long, setLong] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (open || !content.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry && frame.current) setLong(entry.contentRect.height > frame.current.clientHeight + 1);
    });
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [open]);

  return (
    <div>
      <div
        ref={frame}
        className={classes.window}
        style={lines === undefined ? undefined : ({ '--folded-height': `${lines}lh` } as CSSProperties)}
        data-open={open || undefined}
        data-long={(long && !open) || undefined}
      >
        <div ref={content}>{children}</div>
      </div>
      {long && (
        <UnstyledButton className={classes.button} onClick={() => setOpen(!open)} aria-expanded={open}>
          {open ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
          {open
            ? i18n.t('Show less')
            : 'label' in props
              ? props.label
              : i18n.t('Show all ({size})', { size: props.size })}
        </UnstyledButton>
      )}
    </div>
  );
}
