/** Edits, saves and deletes the team's documents: policies, rules and word lists. */
import { i18n } from '@lingui/core';
import { Button, Modal, TextInput } from '@mantine/core';
import { type ComponentType, type ReactNode, useState } from 'react';
import { newDocumentKey } from '../../../shared/team/documents.ts';
import { undosOf } from '../../actions/undo-stack.ts';
import { noticesOf } from '../../components/notices.ts';
import { useServer } from '../../console-context.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import { number } from '../../words/format.ts';
import classes from './Documents.module.css';

/** Content by key; null deletes. */
type Changes = ReadonlyMap<string, object | null>;

/** Changes documents of a kind, and offers to undo that. Fields that this console doesn't know are kept. */
export function changeDocuments(server: Server, kind: string, changes: Changes, text: string) {
  const before = teamOf(server).snapshot().documents(kind);
  const former = [...changes.keys()].map((key) => [key, before.get(key)?.content ?? null] as const);
  const put = (all: Iterable<readonly [string, object | null]>) => {
    for (const [key, content] of all) teamOf(server).snapshot().putDocument(kind, key, content);
  };
  put([...changes].map(([key, content]) => [key, content && { ...before.get(key)?.content, ...content }]));
  const undo = () => {
    withdraw();
    hide();
    put(former);
    noticesOf(server).show({ text: i18n.t('Change undone') });
  };
  const withdraw = undosOf(server).offer(undo);
  const hide = noticesOf(server).show({ text, undo, undoLabel: text });
}

/** A document's form. `label` is the text of its submit button. */
export type DocumentForm<Document> = {
  document: Document;
  label: string;
  onSave: (document: Document) => void;
  onCancel: () => void;
};

type EditorProps<Document> = {
  kind: string;
  edited: (Document & { key: string }) | 'new' | undefined;
  /** A new document, before it's filled in. */
  empty: Document;
  /** The keys of all documents of the kind. */
  taken: { has(key: string): boolean };
  words: { create: string; edit: string; save: string; saved: (name: string) => string };
  Form: ComponentType<DocumentForm<Document>>;
  onClose: () => void;
  onCreated?: (key: string) => void;
};

/** Edits a document in a dialog, if one is edited. */
export function DocumentEditor<Document extends { name: string }>(props: EditorProps<Document>) {
  const { kind, edited, empty, taken, words, Form, onClose, onCreated } = props;
  const server = useServer();
  const isNew = edited === 'new';
  return (
    <Modal
      opened={edited !== undefined}
      onClose={onClose}
      title={isNew ? words.create : words.edit}
      size="lg"
      closeOnClickOutside={false}
    >
      {edited && (
        <Form
          document={isNew ? empty : edited}
          label={isNew ? words.create : words.save}
          onSave={(content) => {
            const key = isNew ? newDocumentKey(content.name, taken, kind) : edited.key;
            changeDocuments(server, kind, new Map([[key, content]]), words.saved(content.name));
            onClose();
            if (isNew) onCreated?.(key);
          }}
          onCancel={onClose}
        />
      )}
    </Modal>
  );
}

/**
 * Shows invalid fields once the user tried to save.
 *
 * @param problems messages by field; empty if valid
 */
export function useProblems<Field extends string>(problems: Record<Field, string>) {
  const [areShown, setShown] = useState(false);
  return {
    problem: (field: Field): string | undefined => (areShown && problems[field]) || undefined,
    /** Saves if nothing is invalid. */
    ifValid: (save: () => void) => () => {
      setShown(true);
      if (!Object.values(problems).some(Boolean)) save();
    },
  };
}

/** Returns why a typed text isn't a whole number of the range; empty if it is. */
export function rangeProblem(value: string, least: number, most: number): string {
  const text = value.trim();
  return /^\d{1,4}$/.test(text) && Number(text) >= least && Number(text) <= most
    ? ''
    : i18n.t('Enter a whole number from {least} to {most}.', { least: number(least), most: number(most) });
}

type FieldProps = {
  label: string;
  description?: string;
  placeholder?: string;
  error?: string | undefined;
  value: string;
  onChange: (value: string) => void;
};

export const NameField = (props: Pick<FieldProps, 'error' | 'value' | 'onChange'>) => (
  <TextInput
    {...props}
    data-autofocus
    label={i18n.t('Name')}
    maxLength={100}
    onChange={(event) => props.onChange(event.currentTarget.value)}
  />
);

export const NumberField = (props: FieldProps) => (
  <TextInput {...props} inputMode="numeric" onChange={(event) => props.onChange(event.currentTarget.value)} />
);

type GroupProps = { legend: string; note?: string; problem?: string | undefined; children: ReactNode };

export const FieldGroup = ({ legend, note, problem, children }: GroupProps) => (
  <fieldset className={classes.group}>
    <legend className={classes.legend}>{legend}</legend>
    {note && <p className={classes.note}>{note}</p>}
    {children}
    {problem && (
      <p className={classes.problem} role="alert">
        {problem}
      </p>
    )}
  </fieldset>
);

type RowButtonProps = {
  /** Names the row, which the visible text doesn't. */
  label: string;
  /** A rarely used button. */
  minor?: boolean;
  onClick: () => void;
  children: ReactNode;
};

/** A button in a row of a list of documents. */
export const RowButton = ({ label, minor = false, onClick, children }: RowButtonProps) => (
  <Button
    variant={minor ? 'subtle' : 'default'}
    color={minor ? 'gray' : undefined}
    size="compact-xs"
    aria-label={label}
    onClick={onClick}
  >
    {children}
  </Button>
);
