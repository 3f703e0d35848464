import { i18n } from '@lingui/core';
import { Button, TextInput } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { RemoteImage } from '../components/event/RemoteImage.tsx';
import { failureSentence } from '../components/FailureMessage.tsx';
import { useServer } from '../console-context.ts';
import classes from './ActionPanel.module.css';

type Props = { label: string; note: string; value: string; onChange: (uri: string) => void };

/** The address of a picture: of one that is on the server, or of one that is put there. */
export default function PictureField({ label, note, value, onChange }: Props) {
  const server = useServer();
  const chooser = useRef<HTMLInputElement>(null);
  const upload = useMutation({
    mutationFn: (file: File) => server.upload(file),
    onSuccess: onChange,
    gcTime: 0,
  });
  return (
    <>
      <TextInput
        size="xs"
        label={label}
        description={note}
        value={value}
        error={upload.error && failureSentence(upload.error)}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <div className={classes.choices}>
        <input
          ref={chooser}
          type="file"
          hidden
          aria-label={i18n.t('The picture to upload')}
          accept="image/png,image/jpeg,image/gif,image/webp"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            // The same file can be chosen again after a failure.
            currentTarget.value = '';
            if (file) upload.mutate(file);
          }}
        />
        <Button
          size="compact-xs"
          variant="default"
          loading={upload.isPending}
          leftSection={<IconUpload size={13} stroke={1.7} aria-hidden />}
          onClick={() => chooser.current?.click()}
        >
          {i18n.t('Upload a picture…')}
        </Button>
        {value !== '' && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onChange('')}>
            {i18n.t('No picture')}
          </Button>
        )}
      </div>
      {value.startsWith('mxc://') && <RemoteImage key={value} uri={value} name={label} preview />}
    </>
  );
}
