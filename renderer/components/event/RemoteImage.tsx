import { i18n } from '@lingui/core';
import { Loader, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconEyeOff, IconPhoto } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useServer } from '../../console-context.ts';
import { failureSentence } from '../../transport/failure-sentence.ts';
import { HazardText } from '../HazardText.tsx';
import classes from './RemoteImage.module.css';

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

/** An image of a message: a placeholder until someone chooses to see it. */
export function RemoteImage({ uri, name, width, height, facts, preview, quarantined }: Props) {
  const server = useServer();
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
        <span className={classes.details}>
          {load.error
            ? failureSentence(load.error)
            : showable
              ? `${i18n.t('Click to show')}${details && ` · ${details}`}`
              : i18n.t('Not on a homeserver: never loaded')}
        </span>
      </span>
    </UnstyledButton>
  );
}
