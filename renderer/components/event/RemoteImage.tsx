import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Kbd, Loader, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconEyeOff, IconPhoto } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useContext, useEffect } from 'react';
import { mediumQuery } from '../../api/media.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { failureSentence } from '../../transport/refusal.ts';
import { HazardText } from '../HazardText.tsx';
import { useDwelledInView } from '../in-view.ts';
import media from '../media/Media.module.css';
import { MediaRevealed } from '../media/MediaReveal.tsx';
import { usePreviewSettings } from '../media/preview-settings.ts';
import { useThumbnail } from '../media/use-thumbnail.ts';
import { UserMention } from './EventReference.tsx';
import classes from './RemoteImage.module.css';

/** Size of a thumbnail that most servers generate at upload. */
const glimpsePixels = 640;

/** Maximum aspect ratio, because senders can claim any size. */
const mostProportion = 2.5;

const proportion = (width = 4, height = 3) =>
  Math.min(mostProportion, Math.max(1 / mostProportion, width / height || 1));

type Props = {
  uri: string;
  name: string;
  width?: number;
  height?: number;
  /** Details beside the dimensions, such as the size. */
  facts?: string;
  /** Loads a thumbnail. */
  preview?: boolean;
  /** Shows a blurred thumbnail before the click, if the connected server has the image. */
  glimpse?: boolean;
  /** Loads it although it is quarantined. */
  quarantined?: boolean;
  /** The screen already shows who quarantined it. */
  isQuarantineStated?: true;
};

/** Renders a placeholder for an image that loads on click, and again once the image is quarantined. */
export function RemoteImage(props: Props) {
  // Only reads the cache: screens with media actions load it.
  const { data: medium } = useQuery({ ...mediumQuery(useServer(), props.uri), enabled: false });
  const by = medium?.quarantined_by ?? undefined;
  return <Image key={by ?? ''} {...props} by={by} />;
}

/** @param by who quarantined it, if known */
function Image({
  uri,
  name,
  width,
  height,
  facts,
  preview,
  glimpse = false,
  by,
  isQuarantineStated,
  ...props
}: Props & { by: string | undefined }) {
  const server = useServer();
  const quarantined = props.quarantined || by !== undefined;
  const [ref, isSeen] = useDwelledInView();
  const thumbnail = useThumbnail(glimpse && !quarantined ? uri : undefined, glimpsePixels, isSeen);
  const isRevealed = useContext(MediaRevealed);
  const { keyWorks } = useConsole().commands;
  const { previews, isGray } = usePreviewSettings();
  const load = useMutation({
    mutationFn: async () => URL.createObjectURL(await server.media({ uri, preview, quarantined })),
  });
  const { data: address } = load;
  useEffect(() => () => void (address && URL.revokeObjectURL(address)), [address]);

  if (address) {
    return (
      <span className={classes.shown}>
        <img className={classes.image} data-gray={isGray || undefined} src={address} alt={name} />
        <UnstyledButton
          className={classes.hide}
          onClick={load.reset}
          aria-label={i18n.t('Hide image: {name}', { name })}
        >
          <IconEyeOff size={13} aria-hidden /> {i18n.t('Hide')}
        </UnstyledButton>
      </span>
    );
  }

  const isLoadable = uri.startsWith('mxc://');
  const details = [width && height ? `${width} × ${height}` : undefined, facts].filter(Boolean).join(', ');
  return (
    <UnstyledButton
      ref={ref}
      className={classes.placeholder}
      data-glimpse={thumbnail.state !== 'none' || undefined}
      disabled={!isLoadable || load.isPending}
      onClick={() => load.mutate()}
    >
      {thumbnail.state !== 'none' && (
        <span
          className={media.frame}
          style={{ aspectRatio: proportion(width, height) }}
          data-blurred={(previews === 'blurred' && !isRevealed) || undefined}
          data-revealed={isRevealed || undefined}
          data-gray={isGray || undefined}
        >
          {thumbnail.address && <img src={thumbnail.address} alt="" />}
        </span>
      )}
      {load.isPending ? <Loader size={18} /> : <IconPhoto size={20} stroke={1.5} aria-hidden />}
      <span className={classes.text}>
        <VisuallyHidden>{i18n.t('Show image:')} </VisuallyHidden>
        <HazardText text={name} />
        {by !== undefined && !isQuarantineStated && (
          <span className={classes.grave}>
            <Trans id="Quarantined by {by}" values={{ by: <UserMention id={by} /> }} />
          </span>
        )}
        <span className={classes.details}>
          {load.error
            ? failureSentence(load.error)
            : isLoadable
              ? `${i18n.t('Click to show')}${details && ` · ${details}`}`
              : i18n.t('Not on a homeserver, never loaded')}
        </span>
      </span>
      {thumbnail.state !== 'none' && isRevealed !== undefined && keyWorks('i') && (
        <Kbd size="xs" aria-hidden>
          i
        </Kbd>
      )}
    </UnstyledButton>
  );
}
