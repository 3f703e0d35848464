import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { IconPencil } from '@tabler/icons-react';
import type { EventReportDetail } from '../../../../shared/api/event-reports.ts';
import { Disclosure } from '../../../components/Disclosure.tsx';
import { ContentChanges } from '../../../components/event/ContentChanges.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { readableText, type Version, versionAt } from './event-versions.ts';
import classes from './SinceThen.module.css';
import { TextDifference } from './TextDifference.tsx';

type Props = { versions: Version[]; reported: EventReportDetail };

/** What was changed since the report, then every version on request. */
export function Versions({ versions, reported }: Props) {
  const seen = versionAt(versions, reported.received_ts);
  const latest = versions.at(-1);
  if (!seen || !latest) return null;
  const edits = versions.length - 1;
  const isChanged = seen !== latest;
  return (
    <>
      <div className={classes.line} data-kind="edited">
        <IconPencil size={16} stroke={1.6} aria-hidden />
        <span>
          <strong>
            {isChanged ? i18n.t('Edited since it was reported.') : i18n.t('Edited before it was reported.')}
          </strong>{' '}
          {isChanged
            ? i18n.t('Struck out is what the reporter saw, underlined what stands there now.')
            : i18n.t('Struck out is what was sent first, underlined what the reporter saw and is there now.')}
          {isChanged && seen !== versions[0] && <> {i18n.t('Above is what was sent first.')}</>}
        </span>
      </div>
      <Difference before={isChanged ? seen : versions[0]} after={latest} />
      <Disclosure label={i18n.t('{edits, plural, one {The one edit} other {All # edits}}', { edits })}>
        <ol className={classes.versions}>
          {versions.map((version, index) => (
            <li key={version.eventId ?? index}>
              <span className={classes.note}>
                {index === 0 ? i18n.t('As it was sent') : <Trans id="Edit {index}" values={{ index }} />}
                {version.at !== undefined && (
                  <>
                    {' · '}
                    <RelativeTime timestamp={version.at} long />
                  </>
                )}
                {version === seen && <> · {i18n.t('what the reporter saw')}</>}
                {version === latest && <> · {i18n.t('now')}</>}
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
