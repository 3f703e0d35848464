import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './CommandLine.module.css';

/** A command for a shell, whole, to be copied. */
export function CommandLine({ command, label }: { command: string; label: string }) {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <span className={classes.line}>
      <code className={classes.command}>{command}</code>
      <UnstyledButton
        className={classes.copy}
        onClick={() => clipboard.copy(command)}
        aria-label={i18n.t('Copy the command: {label}', { label })}
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
