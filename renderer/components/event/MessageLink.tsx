import { i18n } from '@lingui/core';
import { Button, Modal, UnstyledButton } from '@mantine/core';
import { useClipboard, useDisclosure } from '@mantine/hooks';
import { type ReactNode, useRef } from 'react';
import { useConsole } from '../../console-context.ts';
import { truncate } from '../../words/clip.ts';
import { VisibleText } from '../HazardText.tsx';
import classes from './MessageLink.module.css';

type LinkPromptProps = { target: string; text: string; onClose: () => void };

/** Shows a link's full target before opening it. */
function LinkPrompt({ target, text, onClose }: LinkPromptProps) {
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

type Props = { target: string | null; text: string; children: ReactNode };

/** Renders a link of a message, which shows its target and asks before opening. */
export function MessageLink({ target, text, children }: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  const link = useRef<HTMLSpanElement>(null);
  if (!target) return children;
  const host = hostOf(target);
  const closePrompt = () => {
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
        {text.trim() !== target && <span className={classes.place}>{host}</span>}
      </UnstyledButton>
      {opened && <LinkPrompt target={target} text={text} onClose={closePrompt} />}
    </>
  );
}

function hostOf(target: string): string {
  const url = URL.parse(target);
  return url?.host || truncate(target, 60);
}
