import { Tooltip } from '@mantine/core';
import type { Medium } from '../../api/media.ts';
import media from '../../components/media/Media.module.css';
import { usePreviewSettings } from '../../components/media/preview-settings.ts';
import { isImage, Thumbnail } from '../../components/media/Thumbnail.tsx';
import { useThumbnail } from '../../components/media/use-thumbnail.ts';
import classes from './FileThumbnail.module.css';

type Props = { uri: string; medium: Medium | undefined };

/** Renders a file's thumbnail in a row; an image's opens larger and sharp where the pointer rests. */
export function FileThumbnail({ uri, medium }: Props) {
  const { previews } = usePreviewSettings();
  const isQuarantined = Boolean(medium?.quarantined_by);
  const thumbnail = (
    <Thumbnail uri={uri} type={medium?.media_type ?? '/'} isQuarantined={isQuarantined} size={24} />
  );
  if (previews === 'off' || isQuarantined || !isImage(medium?.media_type ?? '')) return thumbnail;
  return (
    <Tooltip
      label={<Enlarged uri={uri} />}
      classNames={{ tooltip: classes.card }}
      position="right"
      transitionProps={{ duration: 0 }}
    >
      <span className={classes.target}>{thumbnail}</span>
    </Tooltip>
  );
}

function Enlarged({ uri }: { uri: string }) {
  const { isGray } = usePreviewSettings();
  const { address } = useThumbnail(uri, 320, true);
  return (
    <span className={`${media.frame} ${classes.enlarged}`} data-gray={isGray || undefined}>
      {address && <img src={address} alt="" />}
    </span>
  );
}
