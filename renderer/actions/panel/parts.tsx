import { i18n } from '@lingui/core';
import { Button, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconAlertTriangle, IconCopy } from '@tabler/icons-react';
import { tellRoom } from '../../../shared/team/action-inputs.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { inSentence } from '../../components/text-hazards.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { useStoreValue } from '../../subscribers.ts';
import { useTeam } from '../../team/use-team.ts';
import { failureSentence } from '../../transport/refusal.ts';
import type { Action, KnownMedium } from '../action.ts';
import { actionText } from '../action-words.ts';
import type { Choice } from '../bar/choices.ts';
import { type Item, nameOf, reportKindOf } from '../items.ts';
import { asError, type Failure, isLost } from '../jobs/job.ts';
import classes from './ActionPanel.module.css';
import type { Confirmation } from './cautions.ts';
import { FieldInput } from './FieldInput.tsx';

/** Why the action failed, or that the server can be reached again. */
export function PanelFailure({ why }: { why: Failure }) {
  const { reachability } = useConsole();
  const server = useServer();
  const isAway = useStoreValue(reachability, () => reachability.of(server.id) === 'offline');
  const error = asError(why);
  const isBack = isLost(error) && !isAway;
  return (
    <p className={isBack ? classes.warning : classes.failure} role="alert">
      {isBack
        ? i18n.t('The server is back. Pending requests may have succeeded; repeating is safe.')
        : failureSentence(error)}
    </p>
  );
}

type PublicReasonProps = { isPublic: boolean; onChange: (isPublic: boolean) => void };

/** Whether the room's members see the reason. */
export const PublicReason = ({ isPublic, onChange }: PublicReasonProps) => (
  <FieldInput
    field={{
      kind: 'flag',
      name: tellRoom,
      label: /*i18n*/ 'Also show the reason in the room',
      initial: false,
    }}
    value={isPublic}
    onChange={(value) => onChange(value === true)}
  />
);

/** A new password, only shown here. */
export function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape works anywhere in the panel
    <div className={classes.form} onKeyDown={({ key }) => key === 'Escape' && onClose()}>
      <h2 className={classes.title}>{i18n.t('New password')}</h2>
      <p className={classes.will}>{i18n.t('Shown once and not stored. Share it with the user securely.')}</p>
      <div className={classes.secret}>
        <output className={classes.password} aria-label={i18n.t('New password')}>
          {secret}
        </output>
        <ButtonWithIcon
          data-autofocus
          variant="default"
          icon={IconCopy}
          onClick={() => clipboard.copy(secret)}
        >
          {clipboard.copied ? i18n.t('Copied') : i18n.t('Copy')}
        </ButtonWithIcon>
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {i18n.t('Close')}
        </Button>
      </div>
    </div>
  );
}

type Props = {
  confirmation: Confirmation;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
};

/** Confirmation by typing, which a repeated key press can't give. */
export function TypedName({ confirmation, value, onChange, error }: Props) {
  return (
    <TextInput
      label={labelOf(confirmation)}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

function labelOf({ is, text, whole }: Confirmation): string {
  if (is === 'own')
    return i18n.t('This affects your own account. Type {wanted} to confirm', { wanted: text });
  if (is === 'protected')
    return i18n.t('This affects a protected account. Type {wanted} to confirm', { wanted: text });
  return is === 'name'
    ? i18n.t('Type {wanted} to confirm', { wanted: text })
    : i18n.t('Type {wanted} (the start of {whole}) to confirm', { wanted: text, whole });
}

/** The state of each of an event's several files: the action applies only to some. */
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

/** The part of an action that can't be undone. */
export function Losses({ actions, items }: { actions: readonly Action[]; items: readonly Item[] }) {
  const lost = actions.flatMap((each) => (each.words.lost ? [actionText(each, 'lost', items)] : []));
  return [...new Set(lost)].map((sentence) => (
    <p key={sentence} className={classes.lost}>
      <IconAlertTriangle size={14} stroke={1.7} aria-hidden />
      {sentence}
    </p>
  ));
}

/** The text that is sent. */
export const Preview = ({ text, items }: { text: string; items: readonly Item[] }) => (
  <section aria-label={i18n.t('Preview')}>
    <p className={classes.note}>
      {i18n.t('{count, plural, one {Sent to {name}:} other {Sent to {name}, and the same to others:}}', {
        count: items.length,
        name: items[0] && nameOf(items[0]),
      })}
    </p>
    <blockquote className={classes.preview}>
      <HazardText text={text} />
    </blockquote>
  </section>
);

/** Number of reports to delete that are escalated or have notes. */
export function ReportsAtStake({ items }: { items: readonly Item[] }) {
  const { marksOf, entries } = useTeam();
  const reports = items.filter((item) => item.kind === 'filed');
  const noted = new Set(
    entries.flatMap((entry) =>
      entry.type === 'note' && 'id' in entry.subject ? `${entry.subject.kind} ${entry.subject.id}` : [],
    ),
  );
  const escalated = reports.filter(
    (report) => marksOf[reportKindOf(report)].get(report.reportId)?.state === 'escalated',
  ).length;
  const withNotes = reports.filter((report) =>
    noted.has(`${reportKindOf(report)} ${report.reportId}`),
  ).length;
  if (escalated + withNotes === 0) return null;
  return (
    <p className={classes.warning}>
      {reports.length === 1
        ? [
            escalated > 0 && i18n.t('This report is escalated.'),
            withNotes > 0 && i18n.t('This report has notes.'),
          ]
            .filter(Boolean)
            .join(' ')
        : i18n.t('{escalated} escalated, {withNotes} with notes', { escalated, withNotes })}
    </p>
  );
}
