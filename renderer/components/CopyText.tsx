import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './CopyText.module.css';
import { VisibleText } from './HazardText.tsx';

type Props = {
  text: string;
  /** Names the text for screen readers. */
  label: string;
  /** Takes the full width. */
  block?: boolean;
  /** The text is a shell command. */
  command?: boolean;
};

/** Renders text with a copy button. */
export function CopyText({ text, label, block = false, command = false }: Props) {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <span className={`${classes.line} ${block ? classes.block : ''}`}>
      <code className={classes.text} dir="ltr" {...(block && { tabIndex: 0 })}>
        <VisibleText text={text} />
      </code>
      <UnstyledButton
        className={classes.copy}
        onClick={() => clipboard.copy(text)}
        aria-label={command ? i18n.t('Copy command: {label}', { label }) : i18n.t('Copy: {label}', { label })}
      >
        {clipboard.copied ? (
          <IconCheck size={13} aria-hidden />
        ) : (
          <IconCopy size={13} stroke={1.7} aria-hidden />
        )}
        <span role="status">
          {clipboard.copied ? i18n.t('Copied') : clipboard.error ? i18n.t('Not allowed') : i18n.t('Copy')}
        </span>
      </UnstyledButton>
    </span>
  );
}
