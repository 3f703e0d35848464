import { i18n } from '@lingui/core';
import classes from './ActionPanel.module.css';
import type { KnownMedium } from './action.ts';
import type { Choice } from './choices.ts';
import { inSentence } from './name-in-sentence.ts';

/** How each of the uploads of one event stands, where there are several: it is done to those alone to which it is left. */
export function MediaStates({ choice: { action, known } }: { choice: Choice }) {
  const media = action.kind === 'media' ? [...(known.media ?? [])] : [];
  if (media.length < 2) return null;
  return (
    <ul className={classes.states}>
      {media.map(([uri, medium]) => (
        <li key={uri}>
          {i18n.t('{what}: {state}', {
            what: medium.isThumbnail ? i18n.t('Thumbnail') : i18n.t('File'),
            state: stateOf(medium),
          })}
        </li>
      ))}
    </ul>
  );
}

function stateOf({ quarantinedBy: by, isProtected }: KnownMedium): string {
  if (by !== undefined) return i18n.t('Quarantined by {by}', { by: inSentence(by) });
  return isProtected ? i18n.t('Protected') : i18n.t('Accessible');
}
