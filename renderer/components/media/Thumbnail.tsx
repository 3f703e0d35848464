import { IconEyeOff, IconFile, IconMusic, IconPhoto, IconVideo } from '@tabler/icons-react';
import { type CSSProperties, useContext } from 'react';
import { useDwelledInView } from '../in-view.ts';
import classes from './Media.module.css';
import { MediaRevealed } from './MediaReveal.tsx';
import { usePreviewSettings } from './preview-settings.ts';
import { useThumbnail } from './use-thumbnail.ts';

type Props = {
  uri: string;
  /** MIME type; without one it may be an image. */
  type?: string | null | undefined;
  isQuarantined?: boolean;
  /** In CSS pixels; undefined fills its parent. */
  size?: number;
};

/** Types that have a thumbnail. */
export const isImage = (type: string) => /^image\/(png|jpeg|gif|webp)$/.test(type);

/** The smallest thumbnail that servers generate in advance for a size on a high-density screen. */
const pixelsOf = (size: number | undefined) => (size !== undefined && size <= 48 ? 96 : 320);

/** Renders a square thumbnail that loads once it has been on screen for a moment, or the file's type. */
export function Thumbnail({ uri, type, isQuarantined = false, size }: Props) {
  const [ref, isSeen] = useDwelledInView();
  const isRevealed = useContext(MediaRevealed);
  const { previews, isGray } = usePreviewSettings();
  const isLoadable = !isQuarantined && (!type || isImage(type));
  const { address } = useThumbnail(isLoadable ? uri : undefined, pixelsOf(size), isSeen);
  const Icon = isQuarantined ? IconEyeOff : iconOf(type);
  return (
    <span
      ref={ref}
      className={classes.thumbnail}
      style={size === undefined ? undefined : ({ '--size': `${size}px` } as CSSProperties)}
      data-blurred={(previews === 'blurred' && !isRevealed) || undefined}
      data-gray={isGray || undefined}
      aria-hidden
    >
      {address ? (
        <img src={address} alt="" />
      ) : (
        <Icon size={size === undefined ? 28 : Math.min(28, Math.round(size * 0.65))} stroke={1.5} />
      )}
    </span>
  );
}

function iconOf(type: string | null | undefined) {
  if (!type || type.startsWith('image/')) return IconPhoto;
  if (type.startsWith('video/')) return IconVideo;
  return type.startsWith('audio/') ? IconMusic : IconFile;
}
