import { i18n } from '@lingui/core';
import { Disclosure } from '../Disclosure.tsx';
import classes from './EventView.module.css';
import { MessageBody } from './MessageBody.tsx';
import type { MessageContent } from './message-content.ts';
import { OtherForm } from './OtherForm.tsx';
import { PlainBody } from './PlainBody.tsx';
import { text } from './read-json.ts';
import { Said } from './Said.tsx';

type Props = { content: MessageContent & { kind: 'text' }; sender: unknown };

export function TextMessage({ content, sender }: Props) {
  const { body, html, quote, quoteHtml, style, unknownType } = content;
  return (
    <div className={classes.stack} data-style={style}>
      {style === 'emote' && (
        <span className={classes.note}>
          {i18n.t('Emote:')} * <Said text={text(sender) ?? ''} /> …
        </span>
      )}
      {unknownType !== undefined && (
        <span className={classes.note}>
          {i18n.t('Unknown message type:')}{' '}
          <code>
            <Said text={unknownType} />
          </code>
        </span>
      )}
      {style === 'notice' && <span className={classes.note}>{i18n.t('Bot notice')}</span>}
      {style === 'server-notice' && <span className={classes.note}>{i18n.t('Server notice')}</span>}
      {(quote ?? quoteHtml) !== undefined && (
        <Disclosure label={i18n.t('Quoted message')} facts={i18n.t('hidden by most apps')}>
          {quoteHtml !== undefined && <MessageBody text="" html={quoteHtml} />}
          {quote !== undefined && <PlainBody text={quote} />}
        </Disclosure>
      )}
      <MessageBody text={body} html={html} />
      {html !== undefined && <OtherForm body={body} html={html} />}
    </div>
  );
}
