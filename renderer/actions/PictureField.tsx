import { i18n } from '@lingui/core';
import { Button, TextInput } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { pictureType } from '../../shared/media-policy.ts';
import { RemoteImage } from '../components/event/RemoteImage.tsx';
import { failureSentence } from '../transport/failure-sentence.ts';
import classes from './ActionPanel.module.css';

type Props = {
  label: string;
  note: string;
  value: string;
  /** What is wrong with the address. */
  fault: string | undefined;
  onChange: (uri: string) => void;
  /** One of this machine, in place of the address. */
  chosen: File | undefined;
  onChoose: (picture: File | undefined) => void;
};

/** The address of a picture: of one that is on the server, or of one that is put there when it is confirmed. */
export function PictureField({ label, note, value, fault: misspelt, onChange, chosen, onChoose }: Props) {
  const chooser = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<Error>();

  async function look(file: File) {
    setFault(undefined);
    try {
      pictureType(new Uint8Array(await file.arrayBuffer()));
      onChoose(file);
    } catch (error) {
      setFault(error as Error);
    }
  }

  return (
    <>
      <TextInput
        size="xs"
        label={label}
        description={note}
        value={chosen?.name ?? value}
        readOnly={chosen !== undefined}
        error={fault ? failureSentence(fault) : !chosen && misspelt}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <div className={classes.choices}>
        <input
          ref={chooser}
          type="file"
          hidden
          aria-label={i18n.t('Image to upload')}
          accept="image/png,image/jpeg,image/gif,image/webp"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            // The same file can be chosen again after a failure.
            currentTarget.value = '';
            if (file) void look(file);
          }}
        />
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconUpload size={13} stroke={1.7} aria-hidden />}
          onClick={() => chooser.current?.click()}
        >
          {i18n.t('Upload image…')}
        </Button>
        {(chosen || value !== '') && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            onClick={() => {
              onChoose(undefined);
              onChange('');
            }}
          >
            {i18n.t('No image')}
          </Button>
        )}
      </div>
      {chosen ? (
        <Preview picture={chosen} name={label} />
      ) : (
        value.startsWith('mxc://') && <RemoteImage key={value} uri={value} name={label} preview />
      )}
    </>
  );
}

function Preview({ picture, name }: { picture: File; name: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(picture);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return address && <img className={classes.preview} src={address} alt={name} />;
}
