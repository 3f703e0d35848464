import { i18n } from '@lingui/core';
import { Button, Textarea } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { submitKeys } from '../../../components/ConfirmForm.tsx';
import { useFileDrop } from '../../../components/file/file-drop.ts';
import { useServer } from '../../../console-context.ts';
import { useStoreValue } from '../../../subscribers.ts';
import classes from './Import.module.css';
import { importOf } from './import-store.ts';
import { decodeText } from './result-file.ts';

/** In bytes: more than a hundred thousand users. */
const maxFileSize = 20_000_000;

/** Takes a file that is chosen or dropped, or pasted text. */
export function ImportSource() {
  const store = importOf(useServer());
  const { draft } = useStoreValue(store, store.read);
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string>();

  async function open(file: File | undefined) {
    if (!file) return;
    if (file.size > maxFileSize) {
      setFault(i18n.t('The file is too large. Split it.'));
      return;
    }
    try {
      const text = decodeText(await file.arrayBuffer());
      if (text.trim() === '') setFault(i18n.t('The file is empty.'));
      else store.change({ source: { name: file.name, text } });
    } catch {
      setFault(i18n.t("Couldn't read the file."));
    }
  }
  function choose({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    void open(currentTarget.files?.[0]);
    currentTarget.value = '';
  }
  const isOver = useFileDrop(([file]) => void open(file));

  return (
    <form
      className={classes.source}
      data-over={isOver || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        if (draft.trim() !== '') store.change({ source: { text: draft } });
      }}
      onKeyDown={submitKeys(true)}
    >
      <p className={classes.text}>
        {i18n.t(
          'A CSV file with a row per user. A header assigns the columns: user ID, display name, password, server admin, email, phone, external ID, user type.',
        )}
      </p>
      <div className={classes.drop}>
        <Button
          leftSection={<IconFileUpload size={15} stroke={1.7} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          {i18n.t('Choose file')}
        </Button>
        <span className={classes.note}>{i18n.t('or drop it here. Nothing is sent before the preview.')}</span>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          aria-label={i18n.t('CSV file')}
          hidden
          onChange={choose}
        />
      </div>
      {fault && (
        <p className={classes.failure} role="alert">
          {fault}
        </p>
      )}
      <Textarea
        label={i18n.t('Or paste')}
        description={i18n.t(
          'CSV, cells from a spreadsheet, or one name per line. Stays here until you import or clear it.',
        )}
        rows={8}
        value={draft}
        onChange={(event) => store.change({ draft: event.currentTarget.value })}
        autoComplete="off"
        spellCheck={false}
      />
      <div className={classes.buttons}>
        <Button type="submit" variant="default" disabled={draft.trim() === ''}>
          {i18n.t('Preview import')}
        </Button>
      </div>
    </form>
  );
}
