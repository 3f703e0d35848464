import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { IconFile, IconLock, IconMusic, IconTrashX, IconVideo } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { JsonObject } from '../../../shared/api/common.ts';
import { byteSize } from '../byte-size.ts';
import { Folded } from '../Folded.tsx';
import { HazardText, VisibleText } from '../HazardText.tsx';
import classes from './EventView.module.css';
import { type EventContent, eventContent, type MediaFile } from './event-content.ts';
import { FormattedBody } from './FormattedBody.tsx';
import { RemoteImage } from './RemoteImage.tsx';

/** The reported event, as its sender meant it. */
export function EventView({ event }: { event: JsonObject }) {
  const content = eventContent(event);
  switch (content.kind) {
    case 'text':
      return <TextMessage content={content} sender={String(event.sender ?? '')} />;
    case 'media':
      return (
        <div className={classes.stack}>
          <MediaCard media={content.media} />
          {content.caption !== undefined && <Body text={content.caption} html={content.captionHtml} />}
        </div>
      );
    case 'redacted':
      return (
        <Aside icon={<IconTrashX size={16} stroke={1.5} />}>
          {content.by
            ? i18n.t('Removed by {user}. The server no longer has what it said.', { user: content.by })
            : i18n.t('Removed. The server no longer has what it said.')}
          {content.reason && (
            <>
              {' '}
              {i18n.t('Reason:')} <HazardText text={content.reason} />
            </>
          )}
        </Aside>
      );
    case 'encrypted':
      return (
        <Aside icon={<IconLock size={16} stroke={1.5} />}>
          {i18n.t('End-to-end encrypted ({algorithm}): only the people in the room can read it.', {
            algorithm: content.algorithm,
          })}
        </Aside>
      );
    case 'state':
      return (
        <div className={classes.stack}>
          <span>
            <HazardText text={content.summary} />
          </span>
          <span className={classes.note}>
            {i18n.t("A change of the room's state:")} <code>{content.type}</code>
          </span>
        </div>
      );
    case 'other':
      return (
        <div className={classes.stack}>
          {content.body !== undefined && <Body text={content.body} />}
          <span className={classes.note}>
            <Trans
              id="The console has no view for <0/>. Its source is below."
              components={{ 0: <code>{content.type}</code> }}
            />
          </span>
        </div>
      );
  }
}

function TextMessage({ content, sender }: { content: EventContent & { kind: 'text' }; sender: string }) {
  return (
    <div className={classes.stack} data-style={content.style}>
      {content.edits && (
        <span className={classes.note}>
          {i18n.t('An edit of')} <code>{content.edits}</code>
        </span>
      )}
      {content.style === 'emote' && (
        <span className={classes.note}>
          {i18n.t('An action:')} * <HazardText text={sender} /> …
        </span>
      )}
      {content.unknownType !== undefined && (
        <span className={classes.note}>
          {i18n.t("A message of a type that the console doesn't know:")} <code>{content.unknownType}</code>
        </span>
      )}
      {content.style === 'notice' && (
        <span className={classes.note}>{i18n.t('A notice, as bots send them')}</span>
      )}
      <Body text={content.body} html={content.html} />
    </div>
  );
}

function Body({ text, html }: { text: string; html?: string }) {
  const size = byteSize(new TextEncoder().encode(html ?? text).length);
  return (
    <Folded size={size}>
      {html === undefined ? (
        <div className={classes.plain} dir="auto">
          <VisibleText text={text} />
        </div>
      ) : (
        <FormattedBody html={html} />
      )}
    </Folded>
  );
}

const fileIcons = { video: IconVideo, audio: IconMusic, file: IconFile };
const fileWords = { video: /*i18n*/ 'Video', audio: /*i18n*/ 'Sound', file: /*i18n*/ 'File' };

function MediaCard({ media }: { media: MediaFile }) {
  const size = media.size === undefined ? undefined : byteSize(media.size);
  if ((media.kind === 'image' || media.kind === 'sticker') && media.uri) {
    return (
      <RemoteImage uri={media.uri} name={media.name} width={media.width} height={media.height} facts={size} />
    );
  }
  const kind = media.kind === 'image' || media.kind === 'sticker' ? 'file' : media.kind;
  const Icon = fileIcons[kind];
  const facts = [
    media.kind === kind ? i18n.t(fileWords[kind]) : i18n.t('Image'),
    media.mimetype,
    size,
  ].filter(Boolean);
  return (
    <div className={classes.file}>
      <Icon size={22} stroke={1.4} aria-hidden />
      <div className={classes.fileText}>
        <HazardText text={media.name} />
        <span className={classes.note}>
          <HazardText text={facts.join(' · ')} />
          {media.encrypted && ` · ${i18n.t('encrypted for the people in the room')}`}
        </span>
        {media.uri && <code className={classes.note}>{media.uri}</code>}
      </div>
    </div>
  );
}

function Aside({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.aside}>
      {icon}
      <span>{children}</span>
    </div>
  );
}
