import { i18n } from '@lingui/core';
import { ActionIcon, Button } from '@mantine/core';
import { IconAlertTriangle, IconHistory, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { caseKey } from '../../../shared/team/cases.ts';
import type { Subject } from '../../../shared/team/entries.ts';
import { ButtonPanel } from '../../components/ButtonMenu.tsx';
import { noNotices, noticesOf, type ShownNotice, undoNameOf } from '../../components/notices.ts';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { useServerIfAny } from '../../console-context.ts';
import { useStoreValue } from '../../subscribers.ts';
import { ReportLink } from '../../team/DeletedReports.tsx';
import { CommandKeys } from './CommandKeys.tsx';
import classes from './StatusLine.module.css';

/** How long a notice is emphasized. */
const freshMs = 12_000;

/**
 * The frame's last line: the latest notice with its undo, and earlier ones. Failures stay above it until they are
 * dismissed.
 */
export function StatusLine() {
  const server = useServerIfAny();
  const notices = server && noticesOf(server);
  const { newest, failures, recent } = useStoreValue(notices, notices?.snapshot ?? (() => noNotices));
  return (
    <>
      {failures.map((failure) => (
        <div key={failure.id} className={classes.failure} role="alert">
          <IconAlertTriangle size={15} stroke={1.7} aria-hidden />
          <span className={classes.failureText}>{failure.text}</span>
          <ActionIcon
            aria-label={i18n.t('Dismiss: {title}', { title: failure.text })}
            onClick={() => notices?.hide(failure)}
          >
            <IconX size={14} />
          </ActionIcon>
        </div>
      ))}
      <section
        className={classes.line}
        data-used={recent.length > 0 || undefined}
        aria-label={i18n.t('Status line')}
      >
        <Newest notice={newest} />
        <CommandKeys />
        {recent.length > 0 && <Recent notices={recent} />}
      </section>
    </>
  );
}

function Newest({ notice }: { notice: ShownNotice | undefined }) {
  const isFresh = useIsFresh(notice);
  return (
    <div className={classes.newest} role="status" data-fresh={isFresh || undefined}>
      {notice && (
        <span className={classes.text} title={notice.text}>
          {notice.text}
        </span>
      )}
      {notice?.link && <NoticeLink subject={notice.link} />}
      {notice?.undo && <UndoButton notice={notice} />}
    </div>
  );
}

function useIsFresh({ id, at = 0 }: Partial<ShownNotice> = {}): boolean {
  const [staleId, setStaleId] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setStaleId(id), at + freshMs - Date.now());
    return () => clearTimeout(timer);
  }, [id, at]);
  return id !== undefined && id !== staleId;
}

const UndoButton = ({ notice }: { notice: ShownNotice }) => (
  <Button variant="light" size="compact-xs" aria-label={undoNameOf(notice)} onClick={notice.undo}>
    {i18n.t('Undo')}
  </Button>
);

function NoticeLink({ subject }: { subject: Subject }) {
  if ('id' in subject)
    return (
      <ReportLink kind={subject.kind} id={subject.id} className={classes.link}>
        {i18n.t('Open report')}
      </ReportLink>
    );
  const key = caseKey(subject);
  return (
    <Link to="/reports/cases" search={{ case: key }} className={classes.link}>
      {i18n.t('Open case')}
    </Link>
  );
}

/** Lists recent notices, on click. */
function Recent({ notices }: { notices: readonly ShownNotice[] }) {
  const [opened, setOpened] = useState(false);
  const label = i18n.t('Recent status messages');
  return (
    <ButtonPanel label={label} hint={label} icon={IconHistory} opened={opened} onOpen={setOpened}>
      <ul className={classes.recent}>
        {notices.map((notice) => (
          <li key={notice.id} data-failure={notice.isFailure || undefined}>
            <span className={classes.recentText}>{notice.text}</span>
            <span className={classes.when}>
              <RelativeTime timestamp={notice.at} />
            </span>
            {notice.link && <NoticeLink subject={notice.link} />}
            {notice.undo && <UndoButton notice={notice} />}
          </li>
        ))}
      </ul>
    </ButtonPanel>
  );
}
