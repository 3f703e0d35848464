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
import classes from './RemoteImage.module.css';
import { Who } from './Said.tsx';

type Props = {
  uri: string;
  name: string;
  width?: number;
  height?: number;
  /** For example its size, beside the pixels. */
  facts?: string;
  /** In a list of many a small copy is enough. */
  preview?: boolean;
  /** It is in quarantine, and whoever looks at it knows. */
  quarantined?: boolean;
};

/** An image of a message: a placeholder until someone chooses to see it, and again when it comes into quarantine. */
export function RemoteImage(props: Props) {
  // Whoever shows what can be done about it asks for it.
  const { data: medium } = useQuery({ ...mediumQuery(useServer(), props.uri), enabled: false });
  const by = medium?.quarantined_by ?? undefined;
  return <Picture key={by ?? ''} {...props} by={by} />;
}

/** @param by who keeps it in quarantine, as far as that is known */
function Picture({
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

  const showable = uri.startsWith('mxc://');
  const details = [width && height ? `${width} × ${height}` : undefined, facts].filter(Boolean).join(', ');
  return (
    <UnstyledButton
      className={classes.placeholder}
      disabled={!showable || load.isPending}
      onClick={() => load.mutate()}
    >
      {load.isPending ? <Loader size={18} /> : <IconPhoto size={20} stroke={1.5} aria-hidden />}
      <span className={classes.text}>
        <VisuallyHidden>{i18n.t('Show image:')} </VisuallyHidden>
        <HazardText text={name} />
        {by !== undefined && (
          <span className={classes.grave}>
            <Trans id="Quarantined by {by}" values={{ by: <Who id={by} /> }} />
          </span>
        )}
        <span className={classes.details}>
          {load.error
            ? failureSentence(load.error)
            : showable
              ? `${i18n.t('Click to show')}${details && ` · ${details}`}`
              : i18n.t('Not on a homeserver, never loaded')}
        </span>
      </span>
    </UnstyledButton>
  );
}
