import { i18n } from '@lingui/core';
import { Checkbox } from '@mantine/core';
import { Suspense } from 'react';
import { loadedAhead } from '../components/loaded-ahead.ts';
import classes from './ActionPanel.module.css';
import type { Answers } from './action.ts';
import type { Cautions, Power } from './cautions.ts';
import type { Choice } from './choices.ts';
import { IdenticalFilesNote } from './IdenticalFilesNote.tsx';
import { inSentence, named } from './name-in-sentence.ts';
import { leaveAfterwards, takePower } from './power.ts';

const WhichOnes = loadedAhead(() => import('./WhichOnes.tsx').catch(() => ({ default: () => null })));

type Props = {
  choice: Choice;
  cautions: Cautions;
  fields: Answers['fields'];
  onField: (name: string, value: boolean) => void;
};

/** Whom it reaches, who of them is special, and what it takes. */
export function CautionNotes({ choice, cautions, fields, onField }: Props) {
  const { items, own, ownLeftOut, administrators, power } = cautions;
  return (
    <>
      <Suspense>
        <WhichOnes items={items} />
      </Suspense>
      {choice.remote > 0 && (
        <p className={classes.note}>
          {choice.action.kind === 'media'
            ? i18n.t(
                '{count, plural, one {One more is of another server, where this one can do nothing.} other {# more are of other servers, where this one can do nothing.}}',
                { count: choice.remote },
              )
            : i18n.t(
                '{count, plural, one {One more user is of another server, where this one can do nothing.} other {# more users are of other servers, where this one can do nothing.}}',
                { count: choice.remote },
              )}
        </p>
      )}
      {ownLeftOut && (
        <p className={classes.note}>
          {choice.action.kind === 'device'
            ? i18n.t('The session of this console is among them, and is left out.')
            : i18n.t('Your own account is among them, and is left out.')}
        </p>
      )}
      {own && <p className={classes.warning}>{ownWords(choice.action.id)}</p>}
      {!own && administrators.length > 0 && (
        <p className={classes.warning}>
          {i18n.t(
            '{count, plural, one {{names} is an administrator of this server.} other {# of them are administrators of this server: {names}.}}',
            { count: administrators.length, names: named(administrators.map(inSentence)) },
          )}
        </p>
      )}
      {choice.action.id.startsWith('release-') && <IdenticalFilesNote />}
      {power && <PowerNote power={power} fields={fields} onField={onField} />}
    </>
  );
}

function ownWords(action: string): string {
  switch (action) {
    case 'end-device':
      return i18n.t('This is the session of this console: when it ends, you are signed out here.');
    case 'end-sessions':
      return i18n.t('This is your own account: you are signed out here, too.');
    default:
      return i18n.t('This is your own account: you may lock yourself out.');
  }
}

function PowerNote({ power, fields, onField }: { power: Power } & Pick<Props, 'fields' | 'onField'>) {
  const { lacking, rooms, canTake } = power;
  const count = lacking ?? rooms;
  const said =
    lacking === undefined
      ? i18n.t('In some of these rooms you may not have the power for it.')
      : rooms === 1
        ? i18n.t('You do not have the power for it in this room.')
        : i18n.t('You do not have the power for it in {lacking} of {rooms} rooms.', { lacking, rooms });
  if (!canTake) {
    return (
      <p className={classes.warning}>
        {said} {i18n.t('This server can not give it to you: someone in the room has to.')}
      </p>
    );
  }
  return (
    <div className={classes.warning}>
      {said}
      <Checkbox
        size="xs"
        mt={6}
        label={i18n.t(
          '{count, plural, one {Make me room admin first} other {Make me admin of these rooms first}}',
          { count },
        )}
        description={i18n.t(
          '{count, plural, one {The new power levels appear to be sent by a local admin of the room, usually its creator. You then join. Members see both. You keep the power level, also after an undo.} other {The new power levels appear to be sent by a local admin of each room, usually its creator. You then join. Members see both. You keep the power level, also after an undo.}}',
          { count },
        )}
        checked={fields[takePower] === true}
        onChange={(event) => onField(takePower, event.currentTarget.checked)}
      />
      {fields[takePower] === true && (
        <Checkbox
          size="xs"
          mt={6}
          label={i18n.t(
            '{count, plural, one {Leave the room afterwards} other {Leave the rooms afterwards}}',
            {
              count,
            },
          )}
          checked={fields[leaveAfterwards] === true}
          onChange={(event) => onField(leaveAfterwards, event.currentTarget.checked)}
        />
      )}
    </div>
  );
}
