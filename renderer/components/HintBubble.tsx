import { Tooltip } from '@mantine/core';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';

type Props = { label: string; target: HTMLElement; isWanted: boolean; onLeave: () => void };

/** What a hint says, beside what it says it of. */
export function HintBubble({ label, target, isWanted, onLeave }: Props): ReactNode {
  // What is opened from its beginning doesn't fade in.
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(isWanted), [isWanted]);
  useEffect(() => {
    if (!opened) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      onLeave();
      // Who takes it away by key stays where they are.
      if (target === document.activeElement) event.stopImmediatePropagation();
    };
    // Before whatever else takes the key.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  });
  return <Tooltip target={target} opened={opened} label={<Said of={target}>{label}</Said>} />;
}

/** The words, which describe what they are said of. */
function Said({ of, children }: { of: HTMLElement; children: string }) {
  const words = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const id = words.current?.closest('[role=tooltip]')?.id;
    if (id) of.setAttribute('aria-describedby', id);
    return () => of.removeAttribute('aria-describedby');
  }, [of]);
  return <span ref={words}>{children}</span>;
}
