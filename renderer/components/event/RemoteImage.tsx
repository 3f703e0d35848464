import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Loader, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconEyeOff, IconPhoto } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { mediumQuery } from '../../api/media.ts';
import { useServer } from '../../console-context.ts';
import { failureSentence } from '../../transport/refusal.ts';
import { HazardText } from '../HazardText.tsx';
import { UserMention } from './EventReference.tsx';
import classes from './RemoteImage.module.css';

type Props = {
  uri: string;
  name: string;
  width?: number;
  height?: number;
  /** Details beside the dimensions, such as the size. */
  facts?: string;
  /** Loads a thumbnail. */
  preview?: boolean;
  /** Loads it although it is quarantined. */
  quarantined?: boolean;
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
  by,
  ...props
}: Props & { by: string | undefined }) {
  const server = useServer();
  const quarantined = props.quarantined || by !== undefined;
  const load = useMutation({
    mutationFn: async () => URL.createObjectURL(await server.media({ uri, preview, quarantined })),
  });
  const { data: address } = load;
  useEffect(() => () => void (address && URL.revokeObjectURL(address)), [address]);

  if (address) {
    return (
      <span className={classes.shown}>
        <img className={classes.image} src={address} alt={name} />
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
      className={classes.placeholder}
      disabled={!isLoadable || load.isPending}
      onClick={() => load.mutate()}
    >
      {load.isPending ? <Loader size={18} /> : <IconPhoto size={20} stroke={1.5} aria-hidden />}
      <span className={classes.text}>
        <VisuallyHidden>{i18n.t('Show image:')} </VisuallyHidden>
        <HazardText text={name} />
        {by !== undefined && (
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
    </UnstyledButton>
  );
}
