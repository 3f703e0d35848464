import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  type FormEvent,
  type KeyboardEvent,
  lazy,
  Suspense,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Answers, common, takePower, tellRoom } from '../../../shared/team/action-inputs.ts';
import { policyKind, templateIn, usablePolicies } from '../../../shared/team/policies.ts';
import { offeredQuery } from '../../api/offered.ts';
import { SubmitButton, submitKeys } from '../../components/ConfirmForm.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { StateMark } from '../../components/State.tsx';
import { useConnections } from '../../connection-look.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { useRoleLimit } from '../../team/use-role.ts';
import { useTeamValue } from '../../team/use-team.ts';
import { AlsoViewing } from '../../team/Viewers.tsx';
import { type Field, markReviewed, reviewsByActing } from '../action.ts';
import { actionText } from '../action-words.ts';
import type { Choice } from '../bar/choices.ts';
import { type Item, nameOf, userOf } from '../items.ts';
import { isRefusedInput } from '../jobs/job.ts';
import { scheduleAction } from '../scheduled/schedule.ts';
import { selectedSteps } from '../steps.ts';
import classes from './ActionPanel.module.css';
import {
  ActedReportsContext,
  type CaseScope,
  caseScopes,
  ownReports,
  withCaseReports,
} from './acted-reports.ts';
import {
  areFurtherWanted,
  askedOf,
  faultOf,
  initialFields,
  keepChosen,
  onlyAsked,
  useChosenPictures,
} from './answers.ts';
import { CaseReportsField } from './CaseReportsField.tsx';
import { CautionNotes } from './CautionNotes.tsx';
import { ConcurrentActionsNote, useConcurrentActions } from './ConcurrentActionsNote.tsx';
import { isTyped, typedFor, useCautions } from './cautions.ts';
import { FieldInput } from './FieldInput.tsx';
import { ReportsOnIt } from './FurtherReports.tsx';
import { loadingFurther, noFurther, withFurther } from './further-reports.ts';
import { HoldField } from './HoldField.tsx';
import { MediaStates, PanelFailure, PublicReason, ReportsAtStake, Secret, TypedName } from './parts.tsx';
import { canRestOnPolicy, policyAnswers } from './policy-answers.ts';
import { ReporterMessageFields } from './ReporterMessageFields.tsx';
import { ForecastNote, Steps } from './Steps.tsx';
import { sendToReporters } from './send-to-reporters.ts';
import { TemplateField } from './TemplateField.tsx';
import { canSchedule, limitedBy, timingFields, timingOf } from './timing.ts';
import { useActing, useFaultFocus } from './use-acting.ts';
import { useEvidenceHold } from './use-evidence-hold.ts';
import { useReporterMessage } from './use-reporter-message.ts';

const nothingOffered = { has: () => false };

// Loaded with the first panel that has them.
const PolicyFields = lazy(() => import('./PolicyFields.tsx'));
const TimingFields = lazy(() => import('./TimingFields.tsx'));

type Props = {
  choice: Choice;
  /** There is nothing left to do since the panel was opened. */
  isObsolete: boolean;
  /** `reviewed`: the action resolves its reports; in a case, all of them. */
  onClose: (how: { acted: boolean; reviewed: boolean }) => void;
};

/** Confirms an action, runs it and shows the result. */
export function ActionPanel({ choice, isObsolete: isSoByNow, onClose }: Props) {
  const { action } = choice;
  const server = useServer();
  const cautions = useCautions(choice);
  const { items } = cautions;
  const offered = useQuery(offeredQuery(server)).data ?? nothingOffered;

  const [reason, setReason] = useState('');
  const [fields, setFields] = useState(() => initialFields(server, action, choice.known));
  const [typed, setTyped] = useState('');
  /** The policy's template that was filled in. */
  const [template, setTemplate] = useState('');
  /** Confirmed while warnings were loading. */
  const [confirmedEarly, setHurried] = useState(false);
  /** Number of attempts to submit invalid input. */
  const [refusals, setRefusals] = useState(0);
  const pictures = useChosenPictures();
  /** The fields with which there is nothing to do. */
  const [idle, setIdle] = useState<Answers['fields']>();
  const [missing, setMissing] = useState<string>();
  const reported = new Set(items.flatMap(({ reports }) => reports ?? [])).size;
  const reviewed = reported > 0 && fields[markReviewed] === true;
  const actedReports = useContext(ActedReportsContext);
  const scopes = useMemo(() => caseScopes(actedReports, items), [actedReports, items]);
  const [wantedScope, setWantedScope] = useState<CaseScope>();
  const scope = scopes.find((each) => each.scope === wantedScope) ?? scopes[0];
  // Deleted reports count as resolved.
  const acted = () =>
    onClose({ acted: true, reviewed: (reviewed && scope?.scope !== 'message') || action.kind === 'filed' });
  const [furtherAtFirst] = useState(() =>
    !scope && areFurtherWanted(server, action) ? loadingFurther : noFurther,
  );
  const [further, setFurther] = useState(furtherAtFirst);
  const caseItems = () => withCaseReports(items, reviewed && scope ? scope.reports : []);
  const { act, working, why, secret, conflicts } = useActing(
    action,
    scope ? caseItems() : withFurther(items, further),
    acted,
  );
  const { queryClient, deletedReports } = useConsole();
  const decided = useMemo(
    () => (reviewed ? (scope?.reports ?? ownReports(actedReports, items)) : []),
    [reviewed, scope, actedReports, items],
  );
  const reporterMessage = useReporterMessage({
    reports: decided,
    ofCase: actedReports?.ofCase ?? decided,
    outcome: 'upheld',
    subjects: items.flatMap((item) => (item.kind === 'event' ? item.sender : userOf(item)) ?? []),
  });
  const meanwhile = useConcurrentActions(action, items);
  const [isAgreed, setAgreed] = useState(false);
  const limit = useRoleLimit(action.role);
  const isDone =
    isSoByNow || conflicts.length > 0 || (!action.steps && meanwhile[0]?.items.length === items.length);
  const isHeld = (isDone && !isAgreed) || limit !== undefined;
  const { administrators } = cautions;
  const sofar = { server, offered, items, known: choice.known, administrators, fields };
  const asked = askedOf(action.fields, sofar);
  const answered = onlyAsked(sofar, action.fields, asked);
  const chosen = selectedSteps(action, answered);
  const isReady = cautions.isKnown && (scope !== undefined || !further.isLooking);
  const documents = useTeamValue((team) => team.documents(policyKind));
  const policies = useMemo(
    () => (canRestOnPolicy(action) ? usablePolicies(documents) : []),
    [action, documents],
  );
  const evidence = useEvidenceHold(chosen, items);
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
    setHurried(false);
    // New warnings need a second confirmation.
    if (cautions.power || cautions.administrators.length > 0 || cautions.unchecked) submit.current?.focus();
    else form.current?.requestSubmit();
  }, [confirmedEarly, isReady, cautions]);

  useFaultFocus(form, refusals);

  const faultIn = (field: Field) => (pictures.of(field.name) ? '' : faultOf(field, sofar));
  const isNothing = chosen.length === 0 && !reviewed && further.open.size === 0 && !further.isLooking;
  const { labelOf, lookOf } = useConnections();
  const isProduction = lookOf(server.connection).isProduction === true;
  const isHarmful = chosen.some(({ destructive, harms }) => destructive || harms);
  const wanted = typedFor(choice, cautions, chosen, isProduction);
  const setField = (name: string, value: string | number | boolean) =>
    setFields((before) => ({ ...before, [name]: value }));

  /** Only if it was asked for. */
  const powerFields = () => ({ [takePower]: cautions.power?.canTake === true && fields[takePower] === true });

  function go(event: FormEvent) {
    event.preventDefault();
    if (working || isHeld || isNothing || cautions.isNothingLeft || idle === fields) return;
    if (asked.some(faultIn) || timing.fault || reporterMessage.fault) {
      setRefusals(refusals + 1);
      return;
    }
    if (wanted !== undefined && !isTyped(typed, wanted)) {
      setMissing(i18n.t("Doesn't match yet"));
      setRefusals(refusals + 1);
      return;
    }
    setMissing(undefined);
    if (!isReady) {
      setHurried(true);
      return;
    }
    // A disabled button loses the focus, and keys must not reach the screen behind.
    form.current?.focus();
    const more = {
      ...policyAnswers(policies, items, fields, Date.now()),
      ...(timing.limit !== undefined && { [common.limit]: timing.limit }),
    };
    if (timing.at !== undefined) {
      const given = { ...answered, ...powerFields(), ...more, [markReviewed]: false };
      scheduleAction(server, {
        action,
        items,
        answers: { reason: reason.trim(), fields: given },
        at: timing.at,
      });
      onClose({ acted: true, reviewed: false });
      return;
    }
    const { letter } = reporterMessage;
    const sendLetter = () => {
      if (letter) void sendToReporters({ server, queryClient, deletedReports }, letter);
    };
    void act(async () => {
      await evidence.hold();
      const put = await pictures.upload();
      if (action.steps) keepChosen(server, action, fields, asked, scope ? undefined : further.isWanted);
      if (reported > 0) reviewsByActing(server).write(fields[markReviewed] === true);
      return {
        reason: reason.trim(),
        fields: {
          ...answered,
          ...put,
          ...powerFields(),
          ...more,
        },
      };
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
  /** Filled in with the template of the chosen policy, unless something was typed. */
  const message = action.fields?.find((field) => field.kind === 'text' && field.templates);
  const policyFields = policies.length > 0 && (
    <PolicyFields
      policies={policies}
      items={items}
      fields={fields}
      onField={(name, value) => {
        setField(name, value);
        if (name !== common.policy || !message || fields[message.name] !== template) return;
        const policy = policies.find(({ key }) => key === value);
        const next = (policy && templateIn(policy, i18n.locale)) ?? '';
        setTemplate(next);
        setField(message.name, next);
      }}
    />
  );
  const preview = items[0] && action.preview?.(server, items[0], { reason: reason.trim(), fields });
  const isReasonSent =
    action.preview !== undefined && Object.values(fields).some((value) => String(value).includes('{reason}'));
  const lost = new Set(chosen.flatMap((each) => (each.words.lost ? [actionText(each, 'lost', items)] : [])));
  const losses = [...lost].map((sentence) => (
    <p key={sentence} className={classes.lost}>
      <IconAlertTriangle size={14} stroke={1.7} aria-hidden />
      {sentence}
    </p>
  ));
  const resolving = scope ? (
    <CaseReportsField
      scopes={scopes}
      scope={reviewed ? scope.scope : undefined}
      onScope={(next) => {
        setField(markReviewed, next !== undefined);
        if (next) setWantedScope(next);
      }}
    />
  ) : (
    <ReportsOnIt
      action={action}
      items={items}
      reported={reported}
      isReviewed={fields[markReviewed] === true}
      onReview={(isReviewed) => setField(markReviewed, isReviewed)}
      isFurtherWanted={furtherAtFirst.isWanted}
      onFurther={setFurther}
      // The earlier confirmation was for other reports.
      onHalt={() => setHurried(false)}
    />
  );
  const reports = (
    <>
      {resolving}
      {evidence.isOffered && timing.at === undefined && <HoldField evidence={evidence} />}
      {timing.at === undefined && (
        <ReporterMessageFields message={reporterMessage} showsFault={refusals > 0} />
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
      <AlsoViewing reports={actedReports?.ofCase ?? actedReports?.reports ?? []} />
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
      {!action.steps && losses}
      {message && <Suspense>{policyFields}</Suspense>}
      {action.steps ? (
        <Steps action={action} form={sofar} asked={asked} inputOf={inputOf} onField={setField} />
      ) : (
        asked.map(inputOf)
      )}
      {action.forecast && items.length === 1 && (
        <ForecastNote action={action} item={items[0] as Item} fields={fields} onIdle={setIdle} />
      )}
      {action.steps && reports}
      {action.steps && losses}
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
      {(policies.length > 0 || limited.length > 0 || hasTime) && (
        <Suspense>
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
        </Suspense>
      )}
      {chosen.some(({ publicReason }) => publicReason) && (
        <PublicReason
          isPublic={fields[tellRoom] === true}
          onChange={(isPublic) => setField(tellRoom, isPublic)}
        />
      )}
      {preview?.trim() && (
        <section aria-label={i18n.t('Preview')}>
          <p className={classes.note}>
            {i18n.t(
              '{count, plural, one {Sent to {name}:} other {Sent to {name}, and the same to others:}}',
              {
                count: items.length,
                name: items[0] && nameOf(items[0]),
              },
            )}
          </p>
          <blockquote className={classes.preview}>
            <HazardText text={preview} />
          </blockquote>
        </section>
      )}
      {!action.steps && reports}
      {isProduction && isHarmful && (
        <p className={classes.production}>
          <StateMark words={i18n.t('Production')} tone="danger" icon={IconAlertTriangle} />{' '}
          {labelOf(server.connection)}
        </p>
      )}
      {wanted !== undefined && (
        <TypedName wanted={wanted} value={typed} onChange={setTyped} error={missing} />
      )}
      {why && <PanelFailure why={why} />}
      <div className={classes.buttons}>
        <SubmitButton
          ref={submit}
          multiline={hasLongField}
          disabled={isHeld || isNothing || cautions.isNothingLeft || idle === fields}
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
