import { i18n } from '@lingui/core';
import { Button, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconFileCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Finding, UnknownSetting } from '../../../shared/api/upgrade-plan.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { number } from '../../words/format.ts';
import classes from './ConfigurationSection.module.css';
import type { ConfigurationFile } from './configuration-files.ts';
import { formatPlace } from './configuration-files.ts';
import sectionClasses from './PlanSectionView.module.css';
import { NoteLead, Row } from './PlanSectionView.tsx';

type Props = {
  files: readonly ConfigurationFile[];
  required: readonly Finding[];
  hints: readonly Finding[];
  unknown: readonly UnknownSetting[];
  done: ReadonlySet<string>;
  onTick: (id: string, done: boolean) => void;
  onAdd: () => void;
  isReading: boolean;
  onRemove: (name: string) => void;
};

/** Lists the notes that the server's configuration files are affected by: where, and what to write instead. */
export function ConfigurationSection(props: Props) {
  const { files, required, hints, unknown, done, onTick, onAdd, isReading, onRemove } = props;
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
          done={done}
          onTick={onTick}
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
            <FindingList title={i18n.t('Suggestions')} findings={hints} done={done} onTick={onTick} />
          )}
        </>
      )}
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

type FoundProps = Pick<Props, 'done' | 'onTick'> & { title: string; findings: readonly Finding[] };

function FindingList({ title, findings, done, onTick }: FoundProps) {
  return (
    <div className={sectionClasses.group}>
      <h3 className={sectionClasses.name}>{title}</h3>
      <ul className={sectionClasses.items} aria-label={title}>
        {[...Map.groupBy(findings, ({ note }) => note)].map(([note, places]) => (
          <FindingItem key={note} places={places} done={done.has(note)} onTick={onTick} />
        ))}
      </ul>
    </div>
  );
}

/** Renders a note with all its places; ticking it also ticks it in its version's section. */
function FindingItem({
  places,
  done,
  onTick,
}: {
  places: Finding[];
  done: boolean;
  onTick: Props['onTick'];
}) {
  const [first] = places;
  if (!first) return null;
  return (
    <Row
      id={first.note}
      label={`v${first.release}: ${first.text}`}
      done={done}
      blocked={false}
      onTick={onTick}
      lead={<NoteLead {...first} />}
    >
      <p>
        {first.text}
        {first.overdue && (
          <span className={classes.overdue}>{i18n.t('overdue: applies to the running version')}</span>
        )}
      </p>
      <ul className={classes.places}>
        {places.slice(0, maxListed).map((place) => (
          <li key={`${place.file}:${place.line}:${place.column} ${place.setting}`}>
            <span className={classes.place}>
              <HazardText text={formatPlace(place)} />
            </span>
            <code className={classes.setting}>{place.setting}</code>
            <span>{place.instead}</span>
          </li>
        ))}
        <More than={places.length} />
      </ul>
    </Row>
  );
}
