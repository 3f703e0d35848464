import { UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useRef } from 'react';
import { beginning } from '../../words/beginning.ts';
import { LinkPrompt } from './LinkPrompt.tsx';
import classes from './MessageLink.module.css';

type Props = { target: string | null; text: string; children: ReactNode };

/** A link in a message. It never leads away by itself: it says where it points, and asks. */
export function MessageLink({ target, text, children }: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  const link = useRef<HTMLSpanElement>(null);
  if (!target) return children;
  const place = placeOf(target);
  const leave = () => {
    close();
    link.current?.focus();
  };
  return (
    <>
      <UnstyledButton
        component="span"
        ref={link}
        role="link"
        tabIndex={0}
        className={classes.link}
        onClick={open}
        onKeyDown={(event) => event.key === 'Enter' && open()}
      >
        {children}
        {text.trim() !== target && <span className={classes.place}>{place}</span>}
      </UnstyledButton>
      {opened && <LinkPrompt target={target} text={text} onClose={leave} />}
    </>
  );
}

function placeOf(target: string): string {
  const url = URL.parse(target);
  return url?.host || beginning(target, 60);
}
