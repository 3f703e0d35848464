import { i18n } from '@lingui/core';
import { Button, Checkbox, Progress, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { DayField, RecentDays } from '../../components/filters/FilterFields.tsx';
import cells from '../../components/table/cells.module.css';
import { useServer } from '../../console-context.ts';
import { UserId, UserName } from '../../subjects/UserCell.tsx';
import { useNameInView } from '../../team/account-names.ts';
import { failureSentence } from '../../transport/refusal.ts';
import { byteSize, dayOf, number, startOfDay } from '../../words/format.ts';
import classes from './CleanUp.module.css';
import { countUnused, estimateUnused, type UnusedCount, type UnusedEstimate } from './count-unused.ts';
import type { CleanUpSearch } from './media-search.ts';
import { TypedDeletion, useCleanUp } from './TypedDeletion.tsx';

type Props = {
  /** A day. */
  since: string;
  /** In bytes. */
  larger: number;
  /** Whether avatars of users and rooms are deleted as well. */
  profiles: boolean;
  onChange: (changes: Partial<CleanUpSearch>) => void;
};

type Preview = {
  /** The counted filters, as JSON. */
  name: string;
  state: 'looking' | 'estimated' | 'complete' | 'stopped';
  estimate?: UnusedEstimate;
  count?: UnusedCount;
  error?: Error;
};

const megabyte = 1_000_000;
const maxMegabytes = 1_000_000;
const maxOwners = 10;
/** Number of uploaders that a preview scans without a click: one request each. */
const maxScannedAtOnce = 50;

/** Previews a deletion, and runs it once the server's name is typed. */
export function DeleteUnused({ since, larger, profiles, onChange }: Props) {
  const server = useServer();
  const unused = { before: startOfDay(since) ?? 0, largerThan: larger, keepProfiles: !profiles };
  const name = JSON.stringify(unused);
  const [preview, setPreview] = useState<Preview>();
  const abortController = useRef<AbortController>(undefined);
  // A count for other filters is stale.
  const current = preview?.name === name ? preview : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: resets for another count
  useEffect(() => () => abortController.current?.abort(), [name]);

  /** @param estimate of the same filters: continues with an exact count */
  async function runPreview(estimate?: UnusedEstimate) {
    const stop = new AbortController();
    abortController.current = stop;
    const update = (state: Preview['state'], change: Partial<Preview> = {}) =>
      setPreview((before) => ({ ...(before?.name === name ? before : undefined), ...change, name, state }));
    setPreview({ name, state: 'looking', ...(estimate && { estimate }) });
    try {
      const uploaded = estimate ?? (await estimateUnused(server, unused, stop.signal));
      update('looking', { estimate: uploaded });
      if (!estimate && uploaded.userIds.length > maxScannedAtOnce) return update('estimated');
      await countUnused(server, unused, uploaded.userIds, {
        signal: stop.signal,
        onProgress: (count) => !stop.signal.aborted && update('looking', { count }),
      });
      update('complete');
    } catch (error) {
      update('stopped', stop.signal.aborted ? {} : { error: error as Error });
    }
  }

  const cleanUp = useCleanUp('delete-unused-media');
  const isScanning = current?.state === 'looking';
  const complete = current?.state === 'complete' ? current.count : undefined;
  const estimate = current?.state === 'estimated' ? current.estimate : undefined;
  const most = complete ?? estimate;
  return (
    <>
      <div className={classes.fields}>
        <DayField
          label={i18n.t('Not accessed since')}
          value={since}
          latest={dayOf(Date.now())}
          required
          onChange={(day) => startOfDay(day) !== undefined && onChange({ since: day })}
        />
        <RecentDays
          label={i18n.t('Not accessed for')}
          value={since}
          onChange={(day) => onChange({ since: day })}
        />
        <SizeField larger={larger} onChange={(bytes) => onChange({ larger: bytes || undefined })} />
        <Checkbox
          size="xs"
          label={i18n.t('Keep user and room avatars')}
          checked={!profiles}
          onChange={(event) => onChange({ profiles: event.currentTarget.checked ? undefined : true })}
        />
      </div>
      <div className={classes.buttons}>
        {isScanning ? (
          <Button variant="default" onClick={() => abortController.current?.abort()}>
            {i18n.t('Stop')}
          </Button>
        ) : (
          <Button variant="default" onClick={() => runPreview()}>
            {current ? i18n.t('Refresh') : i18n.t('Preview deletion')}
          </Button>
        )}
        {estimate && (
          <Button variant="default" onClick={() => runPreview(estimate)}>
            {i18n.t('Count exactly ({count} requests)', { count: number(estimate.userIds.length) })}
          </Button>
        )}
        {isScanning && (
          <Progress
            className={classes.progress}
            value={((current.count?.scanned ?? 0) / Math.max(1, current.count?.users ?? 1)) * 100}
            aria-label={i18n.t('Scan progress')}
          />
        )}
      </div>
      {current?.error && (
        <p role="alert" className={classes.failure}>
          {failureSentence(current.error)}
        </p>
      )}
      {estimate && (
        <output className={classes.counted}>
          {i18n.t(
            'Would free up to {size}: at most {uploads, plural, one {# file} other {# files}} of {of, plural, one {# user} other {# users}}, uploaded before this date.',
            { size: byteSize(estimate.bytes), uploads: estimate.uploads, of: estimate.userIds.length },
          )}
        </output>
      )}
      {current?.count && (
        <PreviewResult count={current.count} isComplete={complete !== undefined} keepProfiles={!profiles} />
      )}
      {current === undefined && cleanUp.isStarted && (
        <output>{i18n.t('Started. See progress below.')}</output>
      )}
      {most && most.uploads > 0 && (
        <TypedDeletion
          consequences={i18n.t("This can't be undone. Messages no longer show deleted media.")}
          label={
            estimate
              ? i18n.t(
                  'Delete up to {count, plural, one {{shown} file} other {{shown} files}} ({size})',
                  deleted(most),
                )
              : i18n.t(
                  'Delete {count, plural, one {{shown} file} other {{shown} files}} ({size})',
                  deleted(most),
                )
          }
          onDelete={() => {
            cleanUp.start(unused);
            setPreview(undefined);
          }}
        />
      )}
    </>
  );
}

const deleted = ({ uploads, bytes }: Pick<UnusedCount, 'uploads' | 'bytes'>) => ({
  count: uploads,
  shown: number(uploads),
  size: byteSize(bytes),
});

type CountedProps = { count: UnusedCount; isComplete: boolean; keepProfiles: boolean };

function PreviewResult({ count, isComplete, keepProfiles }: CountedProps) {
  const facts = {
    uploads: count.uploads,
    shown: number(count.uploads),
    size: byteSize(count.bytes),
    of: count.owners.length,
    looked: number(count.scanned),
    users: number(count.users),
  };
  return (
    <>
      <output className={classes.counted}>
        {!isComplete
          ? i18n.t('{shown} files ({size}) so far, {looked} of {users} users scanned', facts)
          : count.uploads === 0
            ? i18n.t('Nothing to delete.')
            : i18n.t(
                'Would free {size}: {uploads, plural, one {{shown} file} other {{shown} files}} of {of, plural, one {# user} other {# users}}.',
                facts,
              )}
      </output>
      {isComplete && count.uploads > 0 && keepProfiles && (
        <p className={classes.note}>{i18n.t('Avatars are kept, so fewer may be deleted.')}</p>
      )}
      {count.owners.length > 0 && (
        <ul className={classes.by} aria-label={i18n.t('Owners')}>
          {count.owners.slice(0, maxOwners).map(({ userId, uploads, bytes }) => (
            <li key={userId}>
              <Owner userId={userId} />
              {i18n.t('{count, plural, one {# file} other {# files}}, {size}', {
                count: uploads,
                size: byteSize(bytes),
              })}
            </li>
          ))}
          {count.owners.length > maxOwners && (
            <li>{i18n.t('and {count} more', { count: number(count.owners.length - maxOwners) })}</li>
          )}
        </ul>
      )}
    </>
  );
}

/** Links to the owner's media, the least recently accessed first. */
function Owner({ userId }: { userId: string }) {
  const [ref, name] = useNameInView(userId);
  return (
    <span ref={ref} className={classes.owner}>
      <Link
        to="/media/users/$userId"
        params={{ userId }}
        search={{ order: 'last_access_ts', dir: 'f' }}
        className={cells.person}
      >
        <UserName userId={userId} name={name} />
      </Link>
      {name && <UserId userId={userId} />}
    </span>
  );
}

/** In megabytes; commits on Enter or blur, because every change restarts the count. */
function SizeField({ larger, onChange }: { larger: number; onChange: (bytes: number) => void }) {
  const id = useId();
  const [typed, setTyped] = useState(String(larger / megabyte));
  const apply = () => {
    const megabytes = Math.min(maxMegabytes, Number(typed.replace(',', '.')) || 0);
    setTyped(String(megabytes));
    const bytes = Math.round(megabytes * megabyte);
    if (bytes !== larger) onChange(bytes);
  };
  return (
    <span>
      <label htmlFor={id}>{i18n.t('Larger than (MB)')}</label>
      <TextInput
        id={id}
        inputMode="decimal"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value.replace(/[^\d.,]/g, ''))}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
    </span>
  );
}
