import { i18n } from '@lingui/core';
import { IconChevronRight, IconCircleCheckFilled, IconHandStop } from '@tabler/icons-react';
import { type ChangeEvent, memo, type ReactNode, useId } from 'react';
import type { ChangeKind, Note, Stop } from '../../../shared/api/upgrade-plan.ts';
import { kindWords } from '../../../shared/upgrade/notes-by-touch.ts';
import { CopyText } from '../../components/CopyText.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { number } from '../../words/format.ts';
import { KnownFacts } from './KnownFacts.tsx';
import classes from './PlanSectionView.module.css';
import type { PlanItem, PlanSection } from './plan-sections.ts';

type PlanItemRowProps = {
  item: PlanItem;
  done: boolean;
  blocked: boolean;
  /** Places in the added configuration: `homeserver.yaml:12`. */
  places?: string | undefined;
  onTick: (id: string, done: boolean) => void;
};

/** Renders an item of the checklist. */
const PlanItemRow = memo(function PlanItemRow({ item, done, blocked, places, onTick }: PlanItemRowProps) {
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

type RowProps = Pick<PlanItemRowProps, 'done' | 'blocked' | 'onTick'> & {
  id: string;
  label: string;
  lead: ReactNode;
  children: ReactNode;
};

/** Renders a checkbox with its content. */
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

function NoteLead({ release, kind }: { release: string; kind: ChangeKind }) {
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
  const noteText = `${note.text} ${note.action}`;
  const names = [...note.settings, ...note.endpoints, ...note.worker_types].filter(
    (name) => !noteText.includes(name),
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

type Props = {
  section: PlanSection;
  open: boolean;
  done: ReadonlySet<string>;
  /** Whether the section's steps are blocked. */
  blocked: boolean;
  /** Why they are blocked, in the first blocked section. */
  reason: string | undefined;
  warnings: readonly string[];
  /** By note ID. */
  places: ReadonlyMap<string, string>;
  onOpen: (id: string, open: boolean) => void;
  onTick: (id: string, done: boolean) => void;
};

/** Renders a collapsible section; collapsed, only its heading. */
export const PlanSectionView = memo(function PlanSectionView(props: Props) {
  const { section, open, done, onOpen } = props;
  const id = useId();
  const { stop, items } = section;
  const doneCount = items.filter((item) => done.has(item.id)).length;
  const isDone = items.length > 0 && doneCount === items.length;
  return (
    <section className={classes.section} aria-labelledby={id} data-section={section.id}>
      <h2 className={classes.heading} data-open={open || undefined}>
        <button
          type="button"
          id={id}
          className={classes.fold}
          aria-expanded={open}
          data-heading={section.id}
          onClick={() => onOpen(section.id, !open)}
        >
          <IconChevronRight size={14} className={classes.chevron} aria-hidden />
          <span className={classes.title}>{section.title}</span>
          {stop?.install && (
            <span className={classes.install}>{i18n.t('install v{install}', { install: stop.install })}</span>
          )}
          {stop && (
            <span className={classes.reason}>
              {section.position && `${i18n.t('Version {position}.', { position: section.position })} `}
              {stop.reason}
            </span>
          )}
          <span className={classes.gap} />
          {stop && (
            <span className={classes.reach} data-safe={String(stop.rollback.safe)}>
              {rollbackLabel(stop)}
            </span>
          )}
          <span className={classes.count} data-done={isDone || undefined}>
            {isDone && <IconCircleCheckFilled size={14} aria-hidden />}
            {i18n.t('{done} of {total}', { done: number(doneCount), total: number(items.length) })}
          </span>
        </button>
      </h2>
      {open && <SectionBody {...props} />}
    </section>
  );
});

function rollbackLabel({ rollback_to: to, rollback_from_source: source }: Stop): string {
  if (to !== null) return i18n.t('rollback to v{rollback_to}', { rollback_to: to });
  return source === undefined
    ? i18n.t('rollback unknown')
    : i18n.t('rollback to v{source} (Synapse source)', { source });
}

function SectionBody({ section, done, blocked, reason, warnings, places, onTick }: Props) {
  const { stop, crossings, requirements, groups, steps } = section;
  const rows = (items: readonly PlanItem[], areBlocked = false) => (
    <ul className={classes.items}>
      {items.map((item) => (
        <PlanItemRow
          key={item.id}
          item={item}
          done={done.has(item.id)}
          blocked={areBlocked && !done.has(item.id)}
          places={places.get(item.id)}
          onTick={onTick}
        />
      ))}
    </ul>
  );
  return (
    <div className={classes.body}>
      {warnings.map((warning) => (
        <p key={warning} className={classes.warning}>
          {warning}
        </p>
      ))}
      {stop && (
        <p className={classes.rollback} data-safe={String(stop.rollback.safe)}>
          {stop.rollback.text}
        </p>
      )}
      {crossings.map(({ release, text }) => (
        <p key={release} className={classes.rollback} data-safe="false">
          {i18n.t('Workers: {text}', { text })}
        </p>
      ))}
      {stop && stop.known.length > 0 && <KnownFacts facts={stop.known} />}
      {requirements.length > 0 && (
        <div className={classes.group}>
          <h3 className={classes.name}>{i18n.t('Requirements')}</h3>
          {rows(requirements)}
        </div>
      )}
      {groups.map(({ title, items }) => (
        <div key={title} className={classes.group}>
          <h3 className={classes.name}>
            {title} <span className={classes.number}>{items.length}</span>
          </h3>
          {rows(items)}
        </div>
      ))}
      {steps.length > 0 && (
        <div className={classes.group}>
          <h3 className={classes.name}>{i18n.t('Steps')}</h3>
          {reason && (
            <p className={classes.blocked}>
              <IconHandStop size={15} stroke={1.7} aria-hidden />
              {reason}
            </p>
          )}
          {rows(steps, blocked)}
        </div>
      )}
    </div>
  );
}
