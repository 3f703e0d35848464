import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCopy } from '@tabler/icons-react';
import classes from './ActionPanel.module.css';

/** A new password, for as long as the panel is open. It is nowhere else. */
export function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape works wherever in the panel the focus is
    <div className={classes.form} onKeyDown={({ key }) => key === 'Escape' && onClose()}>
      <h2 className={classes.title}>{i18n.t('New password')}</h2>
      <p className={classes.will}>{i18n.t('Shown once and not stored. Share it with the user securely.')}</p>
      <div className={classes.secret}>
        <output className={classes.password} aria-label={i18n.t('New password')}>
          {secret}
        </output>
        <Button
          data-autofocus
          variant="default"
          leftSection={<IconCopy size={14} stroke={1.7} />}
          onClick={() => clipboard.copy(secret)}
        >
          {clipboard.copied ? i18n.t('Copied') : i18n.t('Copy')}
        </Button>
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {i18n.t('Close')}
        </Button>
      </div>
    </div>
  );
}
