import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Answers, common, takePower, tellRoom } from '../../../shared/team/action-inputs.ts';
import { policyKind, usablePolicies } from '../../../shared/team/policies.ts';
import { offeredQuery } from '../../api/supported-endpoints.ts';
import { SubmitButton, submitKeys } from '../../components/ConfirmForm.tsx';
import { StateMark } from '../../components/State.tsx';
import { useConnections } from '../../connection-look.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { useRoleLimit } from '../../team/use-role.ts';
import { useTeamValue } from '../../team/use-team.ts';
import { AlsoViewing } from '../../team/Viewers.tsx';
import { type Field, type Form, markReviewed } from '../action.ts';
import { actionText } from '../action-words.ts';
import type { Choice } from '../bar/choices.ts';
import type { Item } from '../items.ts';
import { isRefusedInput } from '../jobs/job.ts';
import { scheduleAction } from '../scheduled/schedule.ts';
import { selectedSteps } from '../steps.ts';
import classes from './ActionPanel.module.css';
import { faultOf, initialFields, onlyShown, shownFields, useChosenPictures } from './answers.ts';
import { CautionNotes } from './CautionNotes.tsx';
import { ConcurrentActionsNote, useConcurrentActions } from './ConcurrentActionsNote.tsx';
import { isTyped, typedFor, useCautions } from './cautions.ts';
import { FieldInput } from './FieldInput.tsx';
import { HoldField } from './HoldField.tsx';
import { PolicyFields } from './PolicyFields.tsx';
import {
  Losses,
  MediaStates,
  PanelFailure,
  Preview,
  PublicReason,
  ReportsAtStake,
  Secret,
  TypedName,
} from './parts.tsx';
import { canRestOnPolicy, policyAnswers } from './policy-answers.ts';
import { ReporterMessageFields } from './ReporterMessageFields.tsx';
import { ForecastNote, Steps } from './Steps.tsx';
import { sendToReporters } from './send-to-reporters.ts';
import { TemplateField } from './TemplateField.tsx';
import { TimingFields } from './TimingFields.tsx';
import { canSchedule, limitedBy, timingFields, timingOf } from './timing.ts';
import { useActing, useFaultFocus } from './use-acting.ts';
import { useEvidenceHold } from './use-evidence-hold.ts';
import { useResolvedReports } from './use-resolved-reports.tsx';

const nothingOffered = { has: () => false };

type Props = {
  choice: Choice;
  /** The panel's action has become pointless since it was opened. */
  isObsolete: boolean;
  /** `reviewed`: the action resolves its reports; in a case, all of them. */
  onClose: (how: { acted: boolean; reviewed: boolean }) => void;
};

const noItems: readonly Item[] = [];

/** Confirms an action, runs it and shows the result. */
export function ActionPanel({ choice, isObsolete, onClose }: Props) {
  const { action } = choice;
  const server = useServer();
  const cautions = useCautions(choice);
  const { items } = cautions;
  const offered = useQuery(offeredQuery(server)).data ?? nothingOffered;

  const [reason, setReason] = useState('');
  const [fields, setFields] = useState(() => initialFields(server, action, choice.known));
  const [typed, setTyped] = useState('');
  /** Confirmed while warnings were loading. */
  const [confirmedEarly, setConfirmedEarly] = useState(false);
  /** Number of attempts to submit invalid input. */
  const [refusals, setRefusals] = useState(0);
  const pictures = useChosenPictures();
  /** Fields whose input leaves nothing to do. */
  const [idle, setIdle] = useState<Answers['fields']>();
  const [missing, setMissing] = useState<string>();
  const setField = (name: string, value: string | number | boolean) =>
    setFields((before) => ({ ...before, [name]: value }));
  const reports = useResolvedReports({
    action,
    items,
    fields,
    onField: setField,
    onHalt: () => setConfirmedEarly(false),
  });
  // Deleted reports count as resolved.
  const acted = () => onClose({ acted: true, reviewed: reports.resolvesAll || action.kind === 'filed' });
  const { act, prepared, working, why, secret, conflicts } = useActing(action, reports.items, acted);
  const { queryClient, deletedReports } = useConsole();
  // The panel's own action isn't a concurrent one.
  const isActing = working || secret !== undefined;
  const meanwhile = useConcurrentActions(action, isActing ? noItems : items);
  const [isAgreed, setAgreed] = useState(false);
  const limit = useRoleLimit(action.role);
  const isDone =
    isObsolete || conflicts.length > 0 || (!action.steps && meanwhile[0]?.items.length === items.length);
  const { administrators } = cautions;
  const input: Form = { server, offered, items, known: choice.known, administrators, fields };
  const shown = shownFields(action.fields, input);
  const answered = onlyShown(input, action.fields, shown);
  const chosen = selectedSteps(action, answered);
  const evidence = useEvidenceHold(chosen, items);
  const isReady = cautions.isKnown && !reports.isLoading && !evidence.isLoading;
  const documents = useTeamValue((team) => team.documents(policyKind));
  const policies = useMemo(
    () => (canRestOnPolicy(action) ? usablePolicies(documents) : []),
    [action, documents],
  );
  const limited = limitedBy(chosen, items);
  const hasTime = canSchedule(action, items);
  const timing = timingOf(limited.length > 0 ? fields : { ...fields, [timingFields.limit]: '' }, Date.now());

  const form = useRef<HTMLFormElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (why) submit.current?.focus();
  }, [why]);

  useLayoutEffect(() => {
    if (!confirmedEarly || !isReady) return;
    setConfirmedEarly(false);
    // New warnings need a second confirmation.
    if (cautions.power || cautions.administrators.length > 0 || cautions.unchecked) submit.current?.focus();
    else form.current?.requestSubmit();
  }, [confirmedEarly, isReady, cautions]);

  useFaultFocus(form, refusals);

  const faultIn = (field: Field) => (pictures.of(field.name) ? '' : faultOf(field, input));
  const isBlocked =
    (isDone && !isAgreed) ||
    limit !== undefined ||
    (chosen.length === 0 && !reports.isAny) ||
    cautions.isNothingLeft ||
    idle === fields;
  const { labelOf, lookOf } = useConnections();
  const isProduction = lookOf(server.connection).isProduction === true;
  const isHarmful = chosen.some(({ destructive, harms }) => destructive || harms);
  const confirmation = typedFor(choice, cautions, chosen, isProduction);

  function go(event: FormEvent) {
    event.preventDefault();
    if (working || isBlocked) return;
    if (shown.some(faultIn) || timing.fault || reports.message.fault) {
      setRefusals(refusals + 1);
      return;
    }
    if (confirmation !== undefined && !isTyped(typed, confirmation)) {
      setMissing(i18n.t("Doesn't match yet"));
      setRefusals(refusals + 1);
      return;
    }
    setMissing(undefined);
    if (!isReady) {
      setConfirmedEarly(true);
      return;
    }
    // A disabled button loses the focus, and keys must not reach the screen behind.
    form.current?.focus();
    const answers = {
      reason: reason.trim(),
      fields: {
        ...answered,
        // Only if it's still offered.
        [takePower]: cautions.power?.canTake === true && fields[takePower] === true,
        ...policyAnswers(policies, items, fields, Date.now()),
        ...(timing.limit !== undefined && { [common.limit]: timing.limit }),
      },
    };
    const { at } = timing;
    if (at !== undefined) {
      const fields = { ...answers.fields, [markReviewed]: false };
      void prepared(evidence.hold).then((isHeld) => {
        if (!isHeld) return;
        scheduleAction(server, { action, items, answers: { ...answers, fields }, at });
        onClose({ acted: true, reviewed: false });
      });
      return;
    }
    const { letter } = reports.message;
    const sendLetter = () => {
      if (letter) void sendToReporters({ server, queryClient, deletedReports }, letter);
    };
    void act(async () => {
      await evidence.hold();
      const uploaded = await pictures.upload();
      reports.keep(shown);
      return { ...answers, fields: { ...answers.fields, ...uploaded } };
    }, sendLetter);
  }

  const cancel = () => onClose({ acted: false, reviewed: false });

  const hasLongField = action.fields?.some(({ kind }) => kind === 'text') === true;
  function onKeyDown(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key === 'Escape') {
      event.stopPropagation();
      cancel();
    } else submitKeys(hasLongField)(event);
  }

  const inputOf = (field: Field) => (
    <FieldInput
      key={field.name}
      field={field}
      value={fields[field.name] ?? ''}
      fault={refusals > 0 ? faultIn(field) : ''}
      onChange={(value) => setField(field.name, value)}
      chosen={pictures.of(field.name)}
      onChoose={(picture) => pictures.choose(field.name, picture)}
    />
  );
  const message = action.fields?.find((field) => field.kind === 'text' && field.templates);
  const policyFields = policies.length > 0 && (
    <PolicyFields policies={policies} items={items} fields={fields} message={message} onField={setField} />
  );
  const preview = items[0] && action.preview?.(server, items[0], { reason: reason.trim(), fields });
  const isReasonSent =
    action.preview !== undefined && Object.values(fields).some((value) => String(value).includes('{reason}'));
  const resolving = (
    <>
      {reports.field}
      <HoldField evidence={evidence} isScheduled={timing.at !== undefined} />
      {timing.at === undefined && (
        <ReporterMessageFields message={reports.message} showsFault={refusals > 0} />
      )}
    </>
  );

  if (secret !== undefined) return <Secret secret={secret} onClose={acted} />;

  return (
    <form
      ref={form}
      className={classes.form}
      onSubmit={go}
      onKeyDown={onKeyDown}
      // Opens at its top, then scrolls to the focused field.
      onFocus={({ target, relatedTarget }) =>
        form.current?.contains(relatedTarget) &&
        target !== form.current &&
        target.scrollIntoView({ block: 'nearest' })
      }
      tabIndex={-1}
      aria-busy={!isReady}
      noValidate
    >
      <h2 className={classes.title}>{actionText(action, 'label', items)}</h2>
      <p className={classes.will}>{actionText(action, 'will', items)}</p>
      {limit && <p className={classes.note}>{limit}</p>}
      {action.kind === 'media' && <MediaStates choice={choice} />}
      <AlsoViewing reports={reports.inView} />
      <CautionNotes choice={choice} cautions={cautions} fields={fields} onField={setField} />
      {action.kind === 'filed' && <ReportsAtStake items={items} />}
      {(isDone || meanwhile.length > 0) && !working && (
        <ConcurrentActionsNote
          action={action}
          count={items.length}
          meanwhile={meanwhile}
          conflicts={conflicts}
          isDone={isDone}
          isSent={why !== undefined}
          isAgreed={isAgreed}
          onAgree={setAgreed}
        />
      )}
      {!action.steps && <Losses actions={chosen} items={items} />}
      {message && policyFields}
      {action.steps ? (
        <Steps action={action} form={input} shown={shown} inputOf={inputOf} onField={setField} />
      ) : (
        shown.map(inputOf)
      )}
      {action.forecast && items.length === 1 && (
        <ForecastNote action={action} item={items[0] as Item} fields={fields} onIdle={setIdle} />
      )}
      {action.steps && resolving}
      {action.steps && <Losses actions={chosen} items={items} />}
      <TemplateField
        kind="reason"
        label={i18n.t('Reason')}
        note={
          isReasonSent
            ? i18n.t("Replaces {reason} in the user's message. Recorded under Activity.", {
                reason: '{reason}',
              })
            : i18n.t('Recorded under Activity.')
        }
        value={reason}
        onChange={setReason}
      />
      {!message && policyFields}
      {(limited.length > 0 || hasTime) && (
        <TimingFields
          fields={fields}
          limited={limited}
          areSteps={action.steps !== undefined}
          hasTime={hasTime}
          fault={refusals > 0 ? timing.fault : undefined}
          onField={setField}
        />
      )}
      {chosen.some(({ publicReason }) => publicReason) && (
        <PublicReason
          isPublic={fields[tellRoom] === true}
          onChange={(isPublic) => setField(tellRoom, isPublic)}
        />
      )}
      {preview?.trim() && <Preview text={preview} items={items} />}
      {!action.steps && resolving}
      {isProduction && isHarmful && (
        <p className={classes.production}>
          <StateMark words={i18n.t('Production')} tone="danger" icon={IconAlertTriangle} />{' '}
          {labelOf(server.connection)}
        </p>
      )}
      {confirmation !== undefined && (
        <TypedName confirmation={confirmation} value={typed} onChange={setTyped} error={missing} />
      )}
      {why && <PanelFailure why={why} />}
      <div className={classes.buttons}>
        <SubmitButton
          ref={submit}
          multiline={hasLongField}
          disabled={isBlocked}
          loading={working || (confirmedEarly && !isReady)}
          className={chosen.some(({ destructive }) => destructive) ? classes.destructive : ''}
        >
          {why && !isRefusedInput(why) ? i18n.t('Retry') : actionText(action, 'label', items)}
        </SubmitButton>
        <Button variant="default" onClick={cancel}>
          {i18n.t('Cancel')}
        </Button>
      </div>
    </form>
  );
}
