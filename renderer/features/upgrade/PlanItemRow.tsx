import { i18n } from '@lingui/core';
import { type ChangeEvent, memo, type ReactNode } from 'react';
import type { ChangeKind, Note } from '../../../shared/api/upgrade-plan.ts';
import { kindWords } from '../../../shared/upgrade/notes-by-touch.ts';
import { CopyText } from '../../components/CopyText.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import classes from './PlanItemRow.module.css';
import type { PlanItem } from './plan-sections.ts';

type Props = {
  item: PlanItem;
  done: boolean;
  /** Whether it can't be ticked yet. */
  blocked: boolean;
  /** Where the configuration that was added has what the note is about: `homeserver.yaml:12`. */
  places?: string | undefined;
  onTick: (id: string, done: boolean) => void;
};

/** One line of the checklist. */
export const PlanItemRow = memo(function PlanItemRow({ item, done, blocked, places, onTick }: Props) {
  const shared = { id: item.id, done, blocked, onTick };
  if (item.what === 'note') {
    const { note } = item;
    return (
      <Row {...shared} label={`v${note.release}: ${note.text}`} lead={<NoteLead {...note} />}>
        <NoteText note={note} />
        {places && (
          <p className={classes.places}>
            {i18n.t('In your configuration:')} <HazardText text={places} />
          </p>
        )}
      </Row>
    );
  }
  if (item.what === 'requirement') {
    const { text, check, since } = item.requirement;
    return (
      <Row
        {...shared}
        label={text}
        lead={<span className={classes.release}>{i18n.t('since v{since}', { since })}</span>}
      >
        <p className={classes.inline}>
          {text}
          {check && <CopyText command text={check} label={text} />}
        </p>
      </Row>
    );
  }
  return (
    <Row
      {...shared}
      label={`${item.word}: ${item.text}`}
      lead={<span className={classes.word}>{item.word}</span>}
    >
      <p>{item.text}</p>
      {item.command && <CopyText command text={item.command} label={item.text} />}
    </Row>
  );
});

type RowProps = Pick<Props, 'done' | 'blocked' | 'onTick'> & {
  id: string;
  label: string;
  lead: ReactNode;
  children: ReactNode;
};

/** What can be ticked off: the box, what it is, and the whole of it. */
export function Row({ id, label, done, blocked, lead, onTick, children }: RowProps) {
  return (
    <li className={classes.row} data-done={done || undefined}>
      <input
        type="checkbox"
        className={classes.box}
        data-item={id}
        aria-label={label}
        checked={done}
        disabled={blocked}
        onChange={(event: ChangeEvent<HTMLInputElement>) => onTick(id, event.currentTarget.checked)}
      />
      <span className={classes.lead}>{lead}</span>
      <div className={classes.text}>{children}</div>
    </li>
  );
}

export function NoteLead({ release, kind }: { release: string; kind: ChangeKind }) {
  return (
    <>
      <span className={classes.release}>v{release}</span>
      <span className={classes.kind} data-kind={kind}>
        {i18n.t(kindWords[kind])}
      </span>
    </>
  );
}

function NoteText({ note }: { note: Note }) {
  const said = `${note.text} ${note.action}`;
  const names = [...note.settings, ...note.endpoints, ...note.worker_types].filter(
    (name) => !said.includes(name),
  );
  return (
    <>
      <p>{note.text}</p>
      <p className={classes.action}>{note.action}</p>
      {names.length > 0 && (
        <p className={classes.names}>
          {names.map((name) => (
            <code key={name}>{name}</code>
          ))}
        </p>
      )}
    </>
  );
}
