import { i18n } from '@lingui/core';
import { Button, Checkbox, Kbd } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, lazy, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { failureSentence } from '../components/FailureMessage.tsx';
import { useConsole, useServer } from '../console-context.ts';
import classes from './ActionPanel.module.css';
import type { Answers, Field, Form, Known } from './action.ts';
import { say } from './action-words.ts';
import { announceDone, offerUndoOfMany } from './announce.tsx';
import { CautionNotes } from './CautionNotes.tsx';
import { typedFor, useCautions } from './cautions.ts';
import type { Choice } from './choices.ts';
import { useChosenPictures } from './chosen-pictures.ts';
import { FieldInput } from './FieldInput.tsx';
import { askedOf, faultOf } from './field-faults.ts';
import { asError, asFailure, type Failure, isRefusedInput, type Job } from './jobs/job.ts';
import { jobsOf } from './jobs/job-store.ts';
import { type Run, resumeJob, retryJob, startJob } from './jobs/run-job.ts';
import { takePower } from './power.ts';
import { tellRoom } from './public-reason.ts';
import { markReviewed, reviewsByActing } from './reviewed-by-acting.ts';
import { Secret } from './Secret.tsx';
import { type Item, keyOf } from './subject.ts';
import { TemplateField } from './TemplateField.tsx';
import { TypedName } from './TypedName.tsx';

const Foreseen = lazy(() => import('./Foreseen.tsx'));

type Props = {
  choice: Choice;
  /** `reviewed`: its reports are marked reviewed by it. */
  onClose: (how: { acted: boolean; reviewed: boolean }) => void;
};

/** What takes longer than this goes on in the tray, and nobody has to wait for it. */
const patience = 2_000;

/** Says what an action will do and to how many, asks once, and shows what became of it. */
export function ActionPanel({ choice, onClose }: Props) {
  const { action } = choice;
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  const context = { server, queryClient, deletedReports };
  const jobs = jobsOf(server.id);
  const cautions = useCautions(choice);
  const { items } = cautions;

  const [reason, setReason] = useState('');
  const [fields, setFields] = useState<Answers['fields']>(() => ({
    [takePower]: true,
    [tellRoom]: false,
    [markReviewed]: reviewsByActing().read(),
    ...Object.fromEntries((action.fields ?? []).map((field) => [field.name, initially(field, choice.known)])),
  }));
  const [typed, setTyped] = useState('');
  const [working, setWorking] = useState(false);
  /** It was confirmed before all that there is to say was known. */
  const [hurried, setHurried] = useState(false);
  const [failed, setFailed] = useState<{ job: Job; why: Failure }>();
  /** How often it was to be sent while something was wrong with what is asked for. */
  const [refusals, setRefusals] = useState(0);
  const pictures = useChosenPictures();
  const [unsent, setUnsent] = useState<Failure>();
  /** With these fields there is nothing to do. */
  const [idle, setIdle] = useState<Answers['fields']>();
  const [secret, setSecret] = useState<string>();
  const [missing, setMissing] = useState<string>();

  const form = useRef<HTMLFormElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  const why = unsent ?? failed?.why;
  useLayoutEffect(() => {
    if (why) submit.current?.focus();
  }, [why]);

  useLayoutEffect(() => {
    if (!hurried || !cautions.isKnown) return;
    setHurried(false);
    // What could not be read by then isn't agreed to.
    if (cautions.power || cautions.administrators.length > 0) submit.current?.focus();
    else form.current?.requestSubmit();
  }, [hurried, cautions]);

  useLayoutEffect(() => {
    if (refusals === 0) return;
    const inputs = [
      ...(form.current?.querySelectorAll<HTMLInputElement>('[aria-invalid=true], [required]') ?? []),
    ];
    inputs.find((input) => input.ariaInvalid === 'true' || input.value.trim() === '')?.focus();
  }, [refusals]);

  const sofar = { server, known: choice.known, fields };
  const asked = askedOf(action.fields, sofar);
  const faultIn = (field: Field) => (pictures.of(field.name) ? '' : faultOf(field, sofar));
  const wanted = typedFor(choice, cautions);
  const reported = new Set(items.flatMap(({ reports }) => reports ?? [])).size;
  const reviewed = reported > 0 && fields[markReviewed] === true;
  const setField = (name: string, value: string | number | boolean) =>
    setFields((before) => ({ ...before, [name]: value }));

  async function go(event: FormEvent) {
    event.preventDefault();
    if (working || idle === fields) return;
    if (asked.some(faultIn)) {
      setRefusals(refusals + 1);
      return;
    }
    if (wanted !== undefined && typed.trim() !== wanted) {
      setMissing(i18n.t('This is not it yet.'));
      return;
    }
    setMissing(undefined);
    if (!cautions.isKnown) {
      setHurried(true);
      return;
    }
    setWorking(true);
    setUnsent(undefined);
    // The button can't hold the focus meanwhile, and keys must not reach the screen behind.
    form.current?.focus();
    let put: Record<string, string>;
    try {
      put = await pictures.put();
    } catch (error) {
      setWorking(false);
      setUnsent(asFailure(error));
      return;
    }
    const answers: Answers = {
      reason: reason.trim(),
      fields: {
        ...withoutUnasked(sofar, action.fields, asked),
        ...put,
        // Where there is power enough, nobody was asked to agree to more.
        [takePower]: cautions.power?.canTake === true && fields[takePower] === true,
      },
    };
    if (reported > 0) reviewsByActing().write(fields[markReviewed] === true);
    // Refused, or never arrived for certain.
    const again = failed?.job.items[0]?.state === 'failed' ? retryJob : resumeJob;
    const run = failed
      ? again(context, { ...failed.job, answers })
      : startJob(context, { action, items, answers });
    if (items.length > 1) {
      offerUndoOfMany(context, action, run);
      onClose({ acted: true, reviewed });
      return;
    }
    jobs.setAside(run.job.id, true);
    setFailed(undefined);
    const isOver = await Promise.race([run.settled.then(() => true), later(patience)]);
    if (!isOver && action.shownOnce) await run.settled;
    else if (!isOver) return handOver(run);
    setWorking(false);

    const [entry] = run.job.items;
    if (entry?.state === 'task') return handOver(run);
    const job = structuredClone(run.job);
    // The panel says what became of it, and has the retry: nothing of it is left when it closes.
    jobs.remove(job.id);
    if (entry?.state !== 'done') {
      const fault = entry?.failure ?? job.why;
      if (fault) setFailed({ job, why: fault });
      return;
    }
    const shownOnce = run.secrets.get(keyOf(entry.item));
    announceDone(context, action, job);
    if (shownOnce === undefined) onClose({ acted: true, reviewed });
    else setSecret(shownOnce);
  }

  function handOver({ job }: Run) {
    jobs.setAside(job.id, false);
    onClose({ acted: true, reviewed });
  }

  const cancel = () => onClose({ acted: false, reviewed: false });

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.stopPropagation();
      cancel();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      form.current?.requestSubmit();
    }
  }

  if (secret !== undefined)
    return <Secret secret={secret} onClose={() => onClose({ acted: true, reviewed })} />;

  const hasLongField = action.fields?.some(({ kind }) => kind === 'text');
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
      aria-busy={!cautions.isKnown}
      noValidate
    >
      <h2 className={classes.title}>{say(action, 'label', items)}</h2>
      <p className={classes.will}>{say(action, 'will', items)}</p>
      <CautionNotes choice={choice} cautions={cautions} fields={fields} onField={setField} />
      {action.words.lost && (
        <p className={classes.lost}>
          <IconAlertTriangle size={14} stroke={1.7} aria-hidden />
          {say(action, 'lost', items)}
        </p>
      )}
      {asked.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={fields[field.name] ?? ''}
          fault={refusals > 0 ? faultIn(field) : ''}
          onChange={(value) => setField(field.name, value)}
          chosen={pictures.of(field.name)}
          onChoose={(picture) => pictures.choose(field.name, picture)}
        />
      ))}
      {action.foresee && items.length === 1 && (
        <Suspense>
          <Foreseen action={action} item={items[0] as Item} fields={fields} onIdle={setIdle} />
        </Suspense>
      )}
      <TemplateField
        kind="reason"
        label={i18n.t('Reason')}
        note={i18n.t('Kept in the log.')}
        value={reason}
        onChange={setReason}
      />
      {action.publicReason && (
        <FieldInput
          field={{
            kind: 'flag',
            name: tellRoom,
            label: /*i18n*/ 'Show the reason in the room, too',
            initial: false,
          }}
          value={fields[tellRoom] ?? false}
          onChange={(value) => setField(tellRoom, value)}
        />
      )}
      {reported > 0 && (
        <Checkbox
          size="xs"
          label={i18n.t(
            '{count, plural, one {Mark its report reviewed} other {Mark the # reports reviewed}}',
            {
              count: reported,
            },
          )}
          checked={fields[markReviewed] === true}
          onChange={(event) => setField(markReviewed, event.currentTarget.checked)}
        />
      )}
      {wanted !== undefined && (
        <TypedName wanted={wanted} own={cautions.own} value={typed} onChange={setTyped} error={missing} />
      )}
      {why && (
        <p className={classes.failure} role="alert">
          {failureSentence(asError(why))}
        </p>
      )}
      <div className={classes.buttons}>
        <Button
          ref={submit}
          type="submit"
          disabled={idle === fields}
          loading={working || (hurried && !cautions.isKnown)}
          className={action.destructive ? classes.destructive : ''}
          rightSection={
            <Kbd size="xs" aria-hidden className={classes.key}>
              {hasLongField ? 'Ctrl ↵' : '↵'}
            </Kbd>
          }
        >
          {why && !isRefusedInput(why) ? i18n.t('Try again') : say(action, 'label', items)}
        </Button>
        <Button variant="default" onClick={cancel}>
          {i18n.t('Cancel')}
        </Button>
      </div>
    </form>
  );
}

/** What was asked for at another time is no answer now; nor is what stood there and was left, which may be outdated. */
const withoutUnasked = ({ fields, known }: Form, all: readonly Field[] = [], asked: readonly Field[]) =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => {
      const field = all.find((one) => one.name === name);
      return !field || (asked.includes(field) && !('from' in field && value === initially(field, known)));
    }),
  );

function initially(field: Field, known: Known): string | number | boolean {
  if ('initial' in field) return field.initial;
  return 'from' in field ? (field.from?.(known) ?? '') : '';
}

const later = (milliseconds: number) =>
  new Promise<false>((resolve) => setTimeout(() => resolve(false), milliseconds));
