import { i18n } from '@lingui/core';
import { Checkbox } from '@mantine/core';
import classes from './ActionPanel.module.css';
import type { Answers } from './action.ts';
import type { Cautions, Power } from './cautions.ts';
import type { Choice } from './choices.ts';
import { IdenticalFilesNote } from './IdenticalFilesNote.tsx';
import { inSentence, named } from './name-in-sentence.ts';
import { leaveAfterwards, takePower } from './power.ts';
import { WhichOnes } from './WhichOnes.tsx';

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
      <WhichOnes items={items} />
      {choice.remote > 0 && (
        <p className={classes.note}>
          {choice.action.kind === 'media'
            ? i18n.t(
                "{count, plural, one {One more remote item} other {# more remote items}} can't be changed here.",
                { count: choice.remote },
              )
            : i18n.t(
                "{count, plural, one {One more remote user} other {# more remote users}} can't be changed here.",
                { count: choice.remote },
              )}
        </p>
      )}
      {ownLeftOut && (
        <p className={classes.note}>
          {choice.action.kind === 'device'
            ? i18n.t('Your current session is skipped.')
            : i18n.t('Your account is skipped.')}
        </p>
      )}
      {own && <p className={classes.warning}>{ownWords(choice.action.id)}</p>}
      {!own && administrators.length > 0 && (
        <p className={classes.warning}>
          {i18n.t('{count, plural, one {{names} is a server admin.} other {# server admins: {names}.}}', {
            count: administrators.length,
            names: named(administrators.map(inSentence)),
          })}
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
      return i18n.t("This is your current session. You'll be signed out here.");
    case 'end-sessions':
      return i18n.t("This is your account. You'll be signed out here.");
    default:
      return i18n.t('This is your account. You may lock yourself out.');
  }
}

function PowerNote({ power, fields, onField }: { power: Power } & Pick<Props, 'fields' | 'onField'>) {
  const { lacking, rooms, canTake } = power;
  const count = lacking ?? rooms;
  const said =
    lacking === undefined
      ? i18n.t('You may lack the required power level in some of these rooms.')
      : rooms === 1
        ? i18n.t('You lack the required power level in this room.')
        : i18n.t('You lack the required power level in {lacking} of {rooms} rooms.', { lacking, rooms });
  if (!canTake) {
    return (
      <p className={classes.warning}>
        {said} {i18n.t("This server can't grant it. Ask a room member.")}
      </p>
    );
  }
  return (
    <div className={classes.warning}>
      {said}
      <Checkbox
        size="xs"
        mt={6}
        label={i18n.t('Make me {count, plural, one {room admin} other {admin of these rooms}} first', {
          count,
        })}
        description={i18n.t(
          "A local room admin, usually the creator, appears to send the new power levels. You then join. Members see both. Undo doesn't revert your power level.",
          { count },
        )}
        checked={fields[takePower] === true}
        onChange={(event) => onField(takePower, event.currentTarget.checked)}
      />
      {fields[takePower] === true && (
        <Checkbox
          size="xs"
          mt={6}
          label={i18n.t('Leave the {count, plural, one {room afterwards} other {rooms afterwards}}', {
            count,
          })}
          checked={fields[leaveAfterwards] === true}
          onChange={(event) => onField(leaveAfterwards, event.currentTarget.checked)}
        />
      )}
    </div>
  );
}
