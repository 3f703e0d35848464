import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { offeredQuery } from '../../api/offered.ts';
import { SubmitButton, submitKeys } from '../../components/ConfirmForm.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { useServer } from '../../console-context.ts';
import { type Answers, type Field, markReviewed, reviewsByActing, tellRoom } from '../action.ts';
import { say } from '../action-words.ts';
import type { Choice } from '../bar/choices.ts';
import { type Item, nameOf } from '../items.ts';
import { isRefusedInput } from '../jobs/job.ts';
import { takePower } from '../power.ts';
import { selectedSteps } from '../steps.ts';
import classes from './ActionPanel.module.css';
import {
  areFurtherWanted,
  askedOf,
  faultOf,
  initialFields,
  keepChosen,
  useChosenPictures,
  withoutUnasked,
} from './answers.ts';
import { CautionNotes } from './CautionNotes.tsx';
import { isTyped, typedFor, useCautions } from './cautions.ts';
import { FieldInput } from './FieldInput.tsx';
import { ReportsOnIt } from './FurtherReports.tsx';
import { nothingFurther, soughtFurther, withFurther } from './further-reports.ts';
import { MeanwhileNote, useMeanwhile } from './MeanwhileNote.tsx';
import { MediaStates, PanelFailure, PublicReason, ReportsAtStake, Secret, TypedName } from './parts.tsx';
import { ForecastNote, Steps } from './Steps.tsx';
import { TemplateField } from './TemplateField.tsx';
import { useActing, useFaultFocus } from './use-acting.ts';

const nothingOffered = { has: () => false };

type Props = {
  choice: Choice;
  /** What it would bring about is so since the panel was opened. */
  isSoByNow: boolean;
  /** `reviewed`: its reports are marked reviewed by it. */
  onClose: (how: { acted: boolean; reviewed: boolean }) => void;
};

/** Says what an action will do and to how many, asks once, and shows what became of it. */
export function ActionPanel({ choice, isSoByNow, onClose }: Props) {
  const { action } = choice;
  const server = useServer();
  const cautions = useCautions(choice);
  const { items } = cautions;
  const offered = useQuery(offeredQuery(server)).data ?? nothingOffered;

  const [reason, setReason] = useState('');
  const [fields, setFields] = useState(() => initialFields(server, action, choice.known));
  const [typed, setTyped] = useState('');
  /** It was confirmed before all that there is to say was known. */
  const [hurried, setHurried] = useState(false);
  /** How often it was to be sent while something was wrong with what is asked for. */
  const [refusals, setRefusals] = useState(0);
  const pictures = useChosenPictures();
  /** With these fields there is nothing to do. */
  const [idle, setIdle] = useState<Answers['fields']>();
  const [missing, setMissing] = useState<string>();
  const reported = new Set(items.flatMap(({ reports }) => reports ?? [])).size;
  const reviewed = reported > 0 && fields[markReviewed] === true;
  // Deleted reports need no more work, like reviewed ones.
  const acted = () => onClose({ acted: true, reviewed: reviewed || action.kind === 'filed' });
  const [furtherAtFirst] = useState(() =>
    areFurtherWanted(server, action) ? soughtFurther : nothingFurther,
  );
  const [further, setFurther] = useState(furtherAtFirst);
  const { act, working, why, secret } = useActing(action, withFurther(items, further), acted);
  const meanwhile = useMeanwhile(action, items);
  const [isAgreed, setAgreed] = useState(false);
  const isDone = isSoByNow || (!action.steps && meanwhile[0]?.items.length === items.length);
  const isHeld = isDone && !isAgreed;
  const { administrators } = cautions;
  const sofar = { server, offered, items, known: choice.known, administrators, fields };
  const asked = askedOf(action.fields, sofar);
  const answered = withoutUnasked(sofar, action.fields, asked);
  const chosen = selectedSteps(action, answered);
  const isReady = cautions.isKnown && !further.isLooking;

  const form = useRef<HTMLFormElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (why) submit.current?.focus();
  }, [why]);

  useLayoutEffect(() => {
    if (!hurried || !isReady) return;
    setHurried(false);
    // What could not be read by then isn't agreed to.
    if (cautions.power || cautions.administrators.length > 0) submit.current?.focus();
    else form.current?.requestSubmit();
  }, [hurried, isReady, cautions]);

  useFaultFocus(form, refusals);

  const faultIn = (field: Field) => (pictures.of(field.name) ? '' : faultOf(field, sofar));
  const isNothing = chosen.length === 0 && !reviewed && further.open.size === 0 && !further.isLooking;
  const wanted = typedFor(choice, cautions, chosen);
  const setField = (name: string, value: string | number | boolean) =>
    setFields((before) => ({ ...before, [name]: value }));

  function go(event: FormEvent) {
    event.preventDefault();
    if (working || isHeld || isNothing || idle === fields) return;
    if (asked.some(faultIn)) {
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
    // The button can't hold the focus meanwhile, and keys must not reach the screen behind.
    form.current?.focus();
    void act(async () => {
      const put = await pictures.put();
      if (action.steps) keepChosen(server, action, fields, asked, further.isWanted);
      if (reported > 0) reviewsByActing(server).write(fields[markReviewed] === true);
      return {
        reason: reason.trim(),
        fields: {
          ...answered,
          ...put,
          // Where there is power enough, nobody was asked to agree to more.
          [takePower]: cautions.power?.canTake === true && fields[takePower] === true,
        },
      };
    });
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
  const preview = items[0] && action.preview?.(server, items[0], { reason: reason.trim(), fields });
  const isReasonSent =
    action.preview !== undefined && Object.values(fields).some((value) => String(value).includes('{reason}'));
  const lost = new Set(chosen.flatMap((each) => (each.words.lost ? [say(each, 'lost', items)] : [])));
  const losses = [...lost].map((sentence) => (
    <p key={sentence} className={classes.lost}>
      <IconAlertTriangle size={14} stroke={1.7} aria-hidden />
      {sentence}
    </p>
  ));
  const reports = (
    <ReportsOnIt
      action={action}
      items={items}
      reported={reported}
      isReviewed={fields[markReviewed] === true}
      onReview={(isReviewed) => setField(markReviewed, isReviewed)}
      isFurtherWanted={furtherAtFirst.isWanted}
      onFurther={setFurther}
      // Whoever has confirmed it before has confirmed something else.
      onHalt={() => setHurried(false)}
    />
  );

  if (secret !== undefined) return <Secret secret={secret} onClose={acted} />;

  return (
    <form
      ref={form}
      className={classes.form}
      onSubmit={go}
      onKeyDown={onKeyDown}
      // It opens at its top, which says what will happen; from then on what has the focus is seen.
      onFocus={({ target, relatedTarget }) =>
        form.current?.contains(relatedTarget) &&
        target !== form.current &&
        target.scrollIntoView({ block: 'nearest' })
      }
      tabIndex={-1}
      aria-busy={!isReady}
      noValidate
    >
      <h2 className={classes.title}>{say(action, 'label', items)}</h2>
      <p className={classes.will}>{say(action, 'will', items)}</p>
      {action.kind === 'media' && <MediaStates choice={choice} />}
      <CautionNotes choice={choice} cautions={cautions} fields={fields} onField={setField} />
      {action.kind === 'filed' && <ReportsAtStake items={items} />}
      {(isDone || meanwhile.length > 0) && !working && (
        <MeanwhileNote
          action={action}
          count={items.length}
          meanwhile={meanwhile}
          isDone={isDone}
          isSent={why !== undefined}
          isAgreed={isAgreed}
          onAgree={setAgreed}
        />
      )}
      {!action.steps && losses}
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
      {wanted !== undefined && (
        <TypedName wanted={wanted} value={typed} onChange={setTyped} error={missing} />
      )}
      {why && <PanelFailure why={why} />}
      <div className={classes.buttons}>
        <SubmitButton
          ref={submit}
          multiline={hasLongField}
          disabled={isHeld || isNothing || idle === fields}
          loading={working || (hurried && !isReady)}
          className={chosen.some(({ destructive }) => destructive) ? classes.destructive : ''}
        >
          {why && !isRefusedInput(why) ? i18n.t('Retry') : say(action, 'label', items)}
        </SubmitButton>
        <Button variant="default" onClick={cancel}>
          {i18n.t('Cancel')}
        </Button>
      </div>
    </form>
  );
}
