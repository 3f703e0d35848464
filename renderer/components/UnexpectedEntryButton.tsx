import { i18n } from '@lingui/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { UnexpectedEntry } from '../api/lenient.ts';
import classes from './UnexpectedEntry.module.css';
import { UnexpectedEntryDialog } from './UnexpectedEntryDialog.tsx';

/** Stands in for an entry of a list that can't be read; opens its source. */
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
