import { i18n } from '@lingui/core';
import { IconFile, IconMusic, IconVideo } from '@tabler/icons-react';
import { clipped } from '../../words/beginning.ts';
import { byteSize } from '../byte-size.ts';
import { HazardText } from '../HazardText.tsx';
import classes from './EventView.module.css';
import type { MediaFile } from './message-content.ts';
import { RemoteImage } from './RemoteImage.tsx';

const fileIcons = { video: IconVideo, audio: IconMusic, file: IconFile };
const fileWords = { video: /*i18n*/ 'Video', audio: /*i18n*/ 'Audio', file: /*i18n*/ 'File' };

/** An image to be shown on a click, or what its sender says about any other file. */
export function MediaCard({ media }: { media: MediaFile }) {
  const size = media.size === undefined ? undefined : byteSize(media.size);
  const name = clipped(media.name);
  if ((media.kind === 'image' || media.kind === 'sticker') && media.uri) {
    return <RemoteImage uri={media.uri} name={name} width={media.width} height={media.height} facts={size} />;
  }
  const kind = media.kind === 'image' || media.kind === 'sticker' ? 'file' : media.kind;
  const Icon = fileIcons[kind];
  const facts = [
    media.kind === kind ? i18n.t(fileWords[kind]) : i18n.t('Image'),
    clipped(media.mimetype ?? '', 100),
    playingTime(media),
    size,
  ].filter(Boolean);
  return (
    <div className={classes.file}>
      <Icon size={22} stroke={1.4} aria-hidden />
      <div className={classes.fileText}>
        <HazardText text={name} />
        <span className={classes.note}>
          <HazardText text={facts.join(' · ')} />
          {media.encrypted && ` · ${i18n.t('encrypted for room members')}`}
        </span>
        {media.uri && (
          <code className={classes.note}>
            <HazardText text={clipped(media.uri)} />
          </code>
        )}
      </div>
    </div>
  );
}

/** `1:05` or `1:02:03`, where its sender says how long it plays. */
function playingTime({ duration }: MediaFile): string | undefined {
  // Nothing that is sent plays for a hundred hours.
  if (duration === undefined || duration >= 360_000_000) return undefined;
  const seconds = Math.round(duration / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...others] = parts[0] ? parts : parts.slice(1);
  return [first, ...others.map((part) => String(part).padStart(2, '0'))].join(':');
}
