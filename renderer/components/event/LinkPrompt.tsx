import { i18n } from '@lingui/core';
import { Button, Modal } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useConsole } from '../../console-context.ts';
import { VisibleText } from '../HazardText.tsx';
import classes from './MessageLink.module.css';

type Props = { target: string; text: string; onClose: () => void };

/** Where a link really leads, in full, before anything opens. */
export function LinkPrompt({ target, text, onClose }: Props) {
  const { host } = useConsole();
  const clipboard = useClipboard({ timeout: 1500 });
  const url = URL.parse(target);
  const secure = url?.protocol === 'https:';
  const [before, after] = url?.host ? split(target, url.host) : ['', target];
  return (
    <Modal opened onClose={onClose} title={i18n.t('Open this link?')} size="lg">
      <div className={classes.url}>
        <span className={classes.rest}>
          <VisibleText text={before} />
        </span>
        <span className={classes.host}>{url?.host}</span>
        <span className={classes.rest}>
          <VisibleText text={after} />
        </span>
      </div>
      {warningOf(target, text) && <p className={classes.warning}>{warningOf(target, text)}</p>}
      {!secure && <p className={classes.warning}>{i18n.t('Only https links open here. Copy it instead.')}</p>}
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => clipboard.copy(target)}>
          {clipboard.copied ? i18n.t('Copied') : i18n.t('Copy')}
        </Button>
        {secure && (
          <Button
            onClick={() => {
              onClose();
              host.openExternal(url.href);
            }}
          >
            {i18n.t('Open in browser')}
          </Button>
        )}
      </div>
    </Modal>
  );
}

function split(target: string, host: string): [string, string] {
  const index = target.toLowerCase().indexOf(host.toLowerCase());
  return index === -1 ? ['', target] : [target.slice(0, index), target.slice(index + host.length)];
}

function warningOf(target: string, text: string): string | undefined {
  const url = URL.parse(target);
  const named = URL.parse(text.trim()) ?? URL.parse(`https://${text.trim()}`);
  if (url && named?.host.includes('.') && /^\S+\.\S+$/.test(text.trim()) && named.host !== url.host) {
    return i18n.t('The text says {host}, but the link opens {target}.', {
      host: named.host,
      target: url.host || i18n.t('another address'),
    });
  }
  if (url?.username) return i18n.t('The part before @ is only a user name.');
  if (url?.host.split('.').some((label) => label.startsWith('xn--'))) {
    return i18n.t('This address contains look-alike letters.');
  }
  return undefined;
}
