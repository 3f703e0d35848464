import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useConsole } from '../console-context.ts';
import classes from './AllOfText.module.css';
import { openFileSink } from './file/file-sink.ts';

const sign = { size: 13, stroke: 1.7, 'aria-hidden': true };

/** How much of a text is drawn, and the ways to all of it. `shown` and `size` are in bytes, as people say them. */
export function AllOfText({ text, shown, size }: { text: string; shown: string; size: string }) {
  const { host } = useConsole();
  const clipboard = useClipboard({ timeout: 1500 });
  const [failed, setFailed] = useState(false);

  async function save() {
    setFailed(false);
    try {
      const sink = await openFileSink('message.txt', 'text/plain', host.shell !== undefined);
      await sink?.write(text);
      await sink?.close();
    } catch {
      setFailed(true);
    }
  }

  return (
    <div className={classes.line} role="note">
      <span>{i18n.t('First {shown} of {size}, to keep the page responsive', { shown, size })}</span>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={clipboard.copied ? <IconCheck {...sign} /> : <IconCopy {...sign} />}
        onClick={() => clipboard.copy(text)}
      >
        {clipboard.copied ? i18n.t('Copied') : clipboard.error ? i18n.t('Not allowed') : i18n.t('Copy all')}
      </Button>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconDownload {...sign} />}
        onClick={() => void save()}
      >
        {i18n.t('Save all')}
      </Button>
      {failed && <span role="alert">{i18n.t("Couldn't write the file")}</span>}
    </div>
  );
}
