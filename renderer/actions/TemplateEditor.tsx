import { i18n } from '@lingui/core';
import { ActionIcon, Button, Textarea } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import classes from './TemplateField.module.css';

type Props = { templates: readonly string[]; onDone: (templates: string[]) => void };

/** Each template a field; an empty one is none. */
export function TemplateEditor({ templates, onDone }: Props) {
  const [rows, setRows] = useState(() => templates.map((text, id) => ({ id, text })));
  // What opened it is gone, and the focus with it.
  const editor = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => editor.current?.querySelector<HTMLElement>('textarea, button')?.focus(), []);
  return (
    <fieldset ref={editor} className={classes.editor}>
      <legend className={classes.legend}>{i18n.t('Templates')}</legend>
      {rows.map(({ id, text }, index) => (
        <div key={id} className={classes.row}>
          <Textarea
            className={classes.text}
            aria-label={i18n.t('Template {number}', { number: index + 1 })}
            autosize
            maxRows={4}
            value={text}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setRows(rows.map((row) => (row.id === id ? { id, text: value } : row)));
            }}
          />
          <ActionIcon
            aria-label={i18n.t('Remove template {number}', { number: index + 1 })}
            onClick={() => setRows(rows.filter((row) => row.id !== id))}
          >
            <IconTrash size={14} stroke={1.7} />
          </ActionIcon>
        </div>
      ))}
      <div className={classes.row}>
        <Button
          variant="default"
          leftSection={<IconPlus size={13} />}
          onClick={() => setRows([...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, text: '' }])}
        >
          {i18n.t('Add template')}
        </Button>
        <Button variant="light" onClick={() => onDone(rows.map(({ text }) => text))}>
          {i18n.t('Save templates')}
        </Button>
      </div>
    </fieldset>
  );
}
