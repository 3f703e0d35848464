import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { IconPencil } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { JsonObject } from '../../../../shared/api/common.ts';
import { Disclosure } from '../../../components/Disclosure.tsx';
import { ContentChanges } from '../../../components/event/ContentChanges.tsx';
import { type Version, versionAt } from '../../../components/event/event-versions.ts';
import { formattedText } from '../../../components/event/formatted-text.ts';
import { messageContent } from '../../../components/event/message-content.ts';
import { Folded } from '../../../components/FoldedText.tsx';
import { VisibleText } from '../../../components/HazardText.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { byteSize } from '../../../words/format.ts';
import classes from './SinceThen.module.css';
import { wordDifference } from './word-difference.ts';

type Props = {
  versions: Version[];
  /** In milliseconds. */
  reportedAt: number;
  /** Whether these are all: the reporter may have seen an edit that isn't loaded yet. */
  isComplete: boolean;
};

/** Changes since the report, and all versions on request. */
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

/** Returns a version's text, if any. */
function readableText(content: JsonObject): string | undefined {
  const message = messageContent(content);
  if (message.kind !== 'text') return undefined;
  return message.html === undefined ? message.body : formattedText(message.html).whole.trim();
}

/** Renders a diff of two texts: deletions struck through, additions underlined. */
function TextDifference({ before, after }: { before: string; after: string }) {
  const pieces = useMemo(() => wordDifference(before, after), [before, after]);
  return (
    <Folded size={byteSize(new TextEncoder().encode(after).length)}>
      <div className={classes.difference} dir="auto">
        {pieces.map(({ kind, text }, index) => {
          const Tag = kind === 'gone' ? 'del' : kind === 'new' ? 'ins' : 'span';
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces keep their order
            <Tag key={index}>
              <VisibleText text={text} />
            </Tag>
          );
        })}
        {pieces.length === 0 && <em>{i18n.t('Empty')}</em>}
      </div>
    </Folded>
  );
}
