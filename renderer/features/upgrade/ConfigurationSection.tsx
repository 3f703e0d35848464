import { i18n } from '@lingui/core';
import { Button, TextInput, UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconAlertTriangle, IconFileCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Finding, IgnoredFinding, Stop, UnknownSetting } from '../../../shared/api/upgrade-plan.ts';
import { type FindingGroup, groupFindings, severityWords } from '../../../shared/upgrade/finding-groups.ts';
import { dueWith } from '../../../shared/upgrade/summary.ts';
import { fromSource } from '../../../shared/upgrade/synapse/known.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { number } from '../../words/format.ts';
import classes from './ConfigurationSection.module.css';
import type { ConfigurationFile } from './configuration-files.ts';
import { formatPlace } from './configuration-files.ts';
import sectionClasses from './PlanSectionView.module.css';
import { Row } from './PlanSectionView.tsx';

type Props = {
  files: readonly ConfigurationFile[];
  required: readonly Finding[];
  hints: readonly Finding[];
  ignored: readonly IgnoredFinding[];
  unknown: readonly UnknownSetting[];
  stops: readonly Stop[];
  done: ReadonlySet<string>;
  onTick: (id: string, done: boolean) => void;
  /** Ignores a note's findings; without a reason, restores them. */
  onIgnore: (note: string, why: string | undefined) => void;
  onAdd: () => void;
  isReading: boolean;
  onRemove: (name: string) => void;
};

/** Lists the notes that affect the server's configuration files, with positions and replacements. */
export function ConfigurationSection(props: Props) {
  const {
    files,
    required,
    hints,
    ignored,
    unknown,
    stops,
    done,
    onTick,
    onIgnore,
    onAdd,
    isReading,
    onRemove,
  } = props;
  const [hintsShown, setHintsShown] = useState(false);
  const areRead = files.some((file) => 'read' in file);
  return (
    <section className={sectionClasses.section} aria-label={i18n.t('Your configuration')}>
      <div className={classes.heading}>
        <h2 className={classes.title}>{i18n.t('Your configuration')}</h2>
        <ul className={classes.files} aria-label={i18n.t('Files')}>
          {files.map((file) => (
            <li key={file.name} className={classes.file} data-failed={'problem' in file || undefined}>
              {'problem' in file ? (
                <IconAlertTriangle size={13} aria-hidden />
              ) : (
                <IconFileCheck size={13} aria-hidden />
              )}
              <span className={classes.fileName}>
                <HazardText text={file.name} />
              </span>
              <UnstyledButton
                className={classes.remove}
                onClick={() => onRemove(file.name)}
                aria-label={i18n.t('Remove {name}', { name: file.name })}
              >
                <IconX size={12} aria-hidden />
              </UnstyledButton>
            </li>
          ))}
        </ul>
        <Button variant="subtle" size="compact-xs" onClick={onAdd} loading={isReading}>
          {i18n.t('Add more…')}
        </Button>
        <span className={classes.gap} />
        <span className={classes.promise}>{i18n.t('Read on this page, never stored')}</span>
      </div>
      {files.map(
        (file) =>
          'problem' in file && (
            <p key={file.name} className={classes.problem} role="alert">
              <strong>
                <HazardText text={file.name} />
              </strong>
              : {file.problem}
            </p>
          ),
      )}
      {areRead && required.length === 0 && (
        <p className={classes.none}>{i18n.t('No changes needed for this plan.')}</p>
      )}
      {required.length > 0 && (
        <FindingList
          title={i18n.t('{count, plural, one {# setting} other {# settings}} to change', {
            count: required.length,
          })}
          findings={required}
          stops={stops}
          done={done}
          onTick={onTick}
          onIgnore={onIgnore}
        />
      )}
      {hints.length > 0 && (
        <>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            className={classes.more}
            aria-expanded={hintsShown}
            onClick={() => setHintsShown(!hintsShown)}
          >
            {hintsShown
              ? i18n.t('Hide {count, plural, one {# suggestion} other {# suggestions}}', {
                  count: hints.length,
                })
              : i18n.t('Show {count, plural, one {# suggestion} other {# suggestions}}', {
                  count: hints.length,
                })}
          </Button>
          {hintsShown && (
            <FindingList
              title={i18n.t('Suggestions')}
              findings={hints}
              stops={stops}
              done={done}
              onTick={onTick}
              onIgnore={onIgnore}
            />
          )}
        </>
      )}
      {ignored.length > 0 && <IgnoredFindings ignored={ignored} onIgnore={onIgnore} />}
      {unknown.length > 0 && <UnknownSettings unknown={unknown} />}
    </section>
  );
}

/** Settings that may be misspelled, or newer than the planner's data. */
function UnknownSettings({ unknown }: { unknown: readonly UnknownSetting[] }) {
  return (
    <details className={classes.unknown}>
      <summary>
        {i18n.t('{count, plural, one {# unknown setting} other {# unknown settings}}', {
          count: unknown.length,
        })}
      </summary>
      <p>{i18n.t('Not checked. May be misspelled or newer than this planner.')}</p>
      <ul className={classes.places}>
        {unknown.slice(0, maxListed).map(({ file, line, column, setting }) => (
          <li key={`${file}:${line}:${column}`}>
            <span className={classes.place}>
              <HazardText text={`${file}:${line}`} />
            </span>
            {setting === null ? (
              i18n.t('not a setting name')
            ) : (
              <code className={classes.setting}>{setting}</code>
            )}
          </li>
        ))}
        <More than={unknown.length} />
      </ul>
    </details>
  );
}

/** A file can have thousands of matches. */
const maxListed = 100;

const More = ({ than: count }: { than: number }) =>
  count > maxListed && <li>{i18n.t('and {count} more', { count: number(count - maxListed) })}</li>;

type FoundProps = Pick<Props, 'stops' | 'done' | 'onTick' | 'onIgnore'> & {
  title: string;
  findings: readonly Finding[];
};

function FindingList({ title, findings, stops, done, onTick, onIgnore }: FoundProps) {
  return (
    <div className={sectionClasses.group}>
      <h3 className={sectionClasses.name}>{title}</h3>
      <ul className={sectionClasses.items} aria-label={title}>
        {groupFindings(findings).map((group) => (
          <FindingItem
            key={group.finding.note}
            group={group}
            due={dueWith(stops, group.finding)}
            done={done.has(group.finding.note)}
            onTick={onTick}
            onIgnore={onIgnore}
          />
        ))}
      </ul>
    </div>
  );
}

type FindingItemProps = Pick<Props, 'onTick' | 'onIgnore'> & {
  group: FindingGroup;
  /** The version to install with the change. */
  due: string | undefined;
  done: boolean;
};

/** Renders a note with all its places; ticking it also ticks it in its version's section. */
function FindingItem({ group: { finding, places }, due, done, onTick, onIgnore }: FindingItemProps) {
  const [isIgnoring, setIgnoring] = useState(false);
  const { note, release, severity, text, overdue, source } = finding;
  return (
    <Row
      id={note}
      label={`v${release}: ${text}`}
      done={done}
      blocked={false}
      onTick={onTick}
      lead={
        <>
          <span className={sectionClasses.release}>v{release}</span>
          <span className={classes.severity} data-severity={severity}>
            {i18n.t(severityWords[severity])}
          </span>
        </>
      }
    >
      <p>
        {text}
        {overdue && severity !== 'refuses to start' && (
          <span className={classes.overdue}>{i18n.t('overdue: applies to the running version')}</span>
        )}
        {due !== undefined && (
          <span className={classes.due}>{i18n.t('change with v{version}', { version: due })}</span>
        )}
        {source !== undefined && <span className={classes.source}>{fromSource(i18n.t)}</span>}
      </p>
      <ul className={classes.places}>
        {places.slice(0, maxListed).map((place) => (
          <li key={`${place.file}:${place.line}:${place.column} ${place.setting}`}>
            <PlaceButton text={formatPlace(place)} />
            <code className={classes.setting}>{place.setting}</code>
            <span>{place.instead}</span>
          </li>
        ))}
        <More than={places.length} />
      </ul>
      {isIgnoring ? (
        <IgnoreForm onIgnore={(why) => onIgnore(note, why)} onCancel={() => setIgnoring(false)} />
      ) : (
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          className={classes.ignore}
          aria-label={i18n.t('Ignore: {text}', { text })}
          onClick={() => setIgnoring(true)}
        >
          {i18n.t('Ignore…')}
        </Button>
      )}
    </Row>
  );
}

/** Copies a place, to go to it in an editor. */
function PlaceButton({ text }: { text: string }) {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <UnstyledButton
      className={classes.place}
      onClick={() => clipboard.copy(text)}
      title={i18n.t('Copy')}
      aria-label={i18n.t('Copy: {label}', { label: text })}
    >
      <HazardText text={text} />
      <span role="status" className={classes.copied}>
        {clipboard.copied ? i18n.t('Copied') : clipboard.error ? i18n.t('Not allowed') : ''}
      </span>
    </UnstyledButton>
  );
}

function IgnoreForm({ onIgnore, onCancel }: { onIgnore: (why: string) => void; onCancel: () => void }) {
  const [why, setWhy] = useState('');
  return (
    <form
      className={classes.reason}
      onSubmit={(event) => {
        event.preventDefault();
        if (why.trim() !== '') onIgnore(why.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <TextInput
        size="xs"
        autoFocus
        maxLength={300}
        aria-label={i18n.t('Reason')}
        placeholder={i18n.t('Reason')}
        value={why}
        onChange={(event) => setWhy(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" size="compact-sm" disabled={why.trim() === ''}>
        {i18n.t('Ignore')}
      </Button>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={onCancel}>
        {i18n.t('Cancel')}
      </Button>
    </form>
  );
}

function IgnoredFindings({ ignored, onIgnore }: Pick<Props, 'ignored' | 'onIgnore'>) {
  const groups = groupFindings(ignored);
  return (
    <details className={classes.unknown}>
      <summary>
        {i18n.t('{count, plural, one {# ignored finding} other {# ignored findings}}', {
          count: groups.length,
        })}
      </summary>
      <ul className={classes.places}>
        {groups.map(({ finding: { note, text, why }, places }) => (
          <li key={note}>
            <span>{text}</span>
            <span className={classes.place}>
              <HazardText text={places.slice(0, maxListed).map(formatPlace).join(', ')} />
            </span>
            <span>{i18n.t('Reason: {why}', { why })}</span>
            <Button
              variant="subtle"
              size="compact-xs"
              aria-label={i18n.t('Restore: {text}', { text })}
              onClick={() => onIgnore(note, undefined)}
            >
              {i18n.t('Restore')}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
