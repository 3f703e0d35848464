import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { IconPencil } from '@tabler/icons-react';
import { Disclosure } from '../../../components/Disclosure.tsx';
import { ContentChanges } from '../../../components/event/ContentChanges.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { readableText, type Version, versionAt } from './event-versions.ts';
import classes from './SinceThen.module.css';
import { TextDifference } from './TextDifference.tsx';

type Props = {
  versions: Version[];
  /** In milliseconds. */
  reportedAt: number;
  /** Whether these are all: an edit that isn't found yet can be what the reporter saw. */
  isComplete: boolean;
};

/** What was changed since the report, then every version on request. */
export function Versions({ versions, reportedAt, isComplete }: Props) {
  const [first] = versions;
  const latest = versions.at(-1);
  const seen = isComplete ? versionAt(versions, reportedAt) : undefined;
  if (!first || !latest) return null;
  const edits = versions.length - 1;
  const isChanged = seen !== undefined && seen !== latest;
  return (
    <>
      <div className={classes.line} data-kind="edited">
        <IconPencil size={16} stroke={1.6} aria-hidden />
        <span>
          <strong>
            {isChanged
              ? i18n.t('Edited after the report.')
              : seen
                ? i18n.t('Edited before the report.')
                : i18n.t('Edited.')}
          </strong>{' '}
          {isChanged
            ? i18n.t('Struck through: as reported. Underlined: current.')
            : seen
              ? i18n.t('Struck through: original. Underlined: current and as reported.')
              : i18n.t('Struck through: original. Underlined: current.')}
          {isChanged && seen !== first && <> {i18n.t('The original is above.')}</>}
        </span>
      </div>
      <Difference before={isChanged ? seen : first} after={latest} />
      <Disclosure
        label={
          isComplete
            ? i18n.t('{edits, plural, one {# edit} other {# edits}}', { edits })
            : i18n.t('{edits, plural, one {# edit} other {# edits}} found so far', { edits })
        }
      >
        <ol className={classes.versions}>
          {versions.map((version, index) => (
            <li key={version.eventId ?? index}>
              <span className={classes.note}>
                {index === 0 ? i18n.t('Original') : <Trans id="Edit {index}" values={{ index }} />}
                {version.at !== undefined && (
                  <>
                    {' · '}
                    <RelativeTime timestamp={version.at} long />
                  </>
                )}
                {version === seen && <> · {i18n.t('as reported')}</>}
                {version === latest && <> · {i18n.t('current')}</>}
              </span>
              <Difference before={versions[index - 1]} after={version} />
            </li>
          ))}
        </ol>
      </Disclosure>
    </>
  );
}

function Difference({ before, after }: { before: Version | undefined; after: Version }) {
  const [old, now] = [readableText(before?.content ?? {}), readableText(after.content)];
  if (now !== undefined && (old !== undefined || !before)) {
    return <TextDifference before={old ?? now} after={now} />;
  }
  return <ContentChanges before={before?.content} after={after.content} />;
}
