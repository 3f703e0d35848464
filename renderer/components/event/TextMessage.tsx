import { i18n } from '@lingui/core';
import { type ReactNode, useContext, useMemo } from 'react';
import { Disclosure } from '../Disclosure.tsx';
import { FoldedText } from '../FoldedText.tsx';
import { VisibleText } from '../HazardText.tsx';
import { MediaRevealed } from '../media/MediaReveal.tsx';
import { usePreviewSettings } from '../media/preview-settings.ts';
import { QuotedText } from './EventReference.tsx';
import classes from './EventView.module.css';
import { FormattedBody } from './FormattedBody.tsx';
import { bodiesDiffer, isTooLongToCompare } from './formatted-text.ts';
import type { MessageContent } from './message-content.ts';
import { text } from './read-json.ts';

/** Renders plain text, folded if long, or a note if no part of it is visible. */
function PlainBody({ text }: { text: string }) {
  if (text.trim() === '') return <span className={classes.note}>{i18n.t('(empty)')}</span>;
  return (
    <FoldedText text={text}>
      {(shown) => (
        <div className={classes.plain} dir="auto">
          <VisibleText text={shown} />
        </div>
      )}
    </FoldedText>
  );
}

/** Renders a message's formatted body, or else its plain one. */
export function MessageBody({ text, html }: { text: string; html?: string | undefined }) {
  return (
    <Blurred>
      {html === undefined ? (
        <PlainBody text={text} />
      ) : (
        <FoldedText text={html}>{(shown) => <FormattedBody html={shown} />}</FoldedText>
      )}
    </Blurred>
  );
}

/** Blurs messages until hovered or revealed, depending on the settings. Screen readers read them. */
function Blurred({ children }: { children: ReactNode }) {
  const { isTextBlurred } = usePreviewSettings();
  const isRevealed = useContext(MediaRevealed);
  return isTextBlurred && !isRevealed ? <div className={classes.blurred}>{children}</div> : children;
}

/** Shows the plain body if it differs from the formatted one, or may. */
function PlainTextDifference({ body, html }: { body: string; html: string }) {
  const isTooLong = isTooLongToCompare(body, html);
  const differs = useMemo(() => !isTooLong && bodiesDiffer(body, html), [isTooLong, body, html]);
  if (!differs && !isTooLong) return null;
  return (
    <div className={classes.otherForm} role="note">
      <strong>
        {isTooLong
          ? i18n.t('Too long to compare. Notifications and simple apps show:')
          : i18n.t('Plain text differs. Notifications and simple apps show:')}
      </strong>
      {body === '' ? <em>{i18n.t('Empty')}</em> : <PlainBody text={body} />}
    </div>
  );
}

type Props = { content: MessageContent & { kind: 'text' }; sender: unknown };

export function TextMessage({ content, sender }: Props) {
  const { body, html, quote, quoteHtml, style, unknownType } = content;
  return (
    <div className={classes.stack} data-style={style}>
      {style === 'emote' && (
        <span className={classes.note}>
          {i18n.t('Emote:')} * <QuotedText text={text(sender) ?? ''} /> …
        </span>
      )}
      {unknownType !== undefined && (
        <span className={classes.note}>
          {i18n.t('Unknown message type:')}{' '}
          <code>
            <QuotedText text={unknownType} />
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
      {html !== undefined && <PlainTextDifference body={body} html={html} />}
    </div>
  );
}
