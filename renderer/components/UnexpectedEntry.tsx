import { i18n } from '@lingui/core';
import { Modal } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { UnexpectedEntry } from '../api/lenient.ts';
import { JsonViewer } from './json/JsonViewer.tsx';
import classes from './UnexpectedEntry.module.css';

type Props = { title: string; source: unknown; onClose: () => void };

function UnexpectedEntryDialog({ title, source, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <JsonViewer value={source ?? null} label={i18n.t('Source')} />
    </Modal>
  );
}

/** Stands in for a list entry that can't be read; opens its source. */
export function UnexpectedEntryButton({ entry: { field, source } }: { entry: UnexpectedEntry }) {
  const [opened, setOpened] = useState(false);
  const label = field
    ? i18n.t('Unexpected entry: invalid field {field}', { field })
    : i18n.t('Unexpected entry');
  return (
    <>
      <button type="button" className={classes.button} aria-haspopup="dialog" onClick={() => setOpened(true)}>
        <IconAlertTriangle size={14} stroke={1.7} aria-hidden /> {label}
      </button>
      {opened && <UnexpectedEntryDialog title={label} source={source} onClose={() => setOpened(false)} />}
    </>
  );
}
