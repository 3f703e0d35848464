import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import {
  IconBan,
  IconCheck,
  IconCircleCheck,
  IconCircleDashed,
  IconClockOff,
  IconCopy,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { RegistrationToken } from '../../api/registration-tokens.ts';
import { fileTime } from '../../components/file/table-file.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { type State, StateMark } from '../../components/State.tsx';
import classes from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { SizeBar } from '../../components/table/SizeBar.tsx';
import { TimeCell, timeColumnWidth } from '../../components/table/TimeCell.tsx';
import { number } from '../../words/format.ts';
import tokenClasses from './Tokens.module.css';

type TokenState = 'valid' | 'used' | 'expired' | 'revoked';

/** @param now in milliseconds since 1970 */
export function stateOf(token: RegistrationToken, now: number): TokenState {
  const { uses_allowed: allowed, pending, completed, expiry_time: expiry } = token;
  if (token.mas?.revoked) return 'revoked';
  if (expiry !== null && expiry <= now) return 'expired';
  return allowed !== null && completed + pending >= allowed ? 'used' : 'valid';
}

function markOf(state: TokenState): State {
  switch (state) {
    case 'valid':
      return { words: i18n.t('Valid'), tone: 'success', icon: IconCircleCheck };
    case 'used':
      return { words: i18n.t('Used up'), tone: 'neutral', icon: IconCircleDashed };
    case 'expired':
      return { words: i18n.t('Expired'), tone: 'warning', icon: IconClockOff };
    case 'revoked':
      return { words: i18n.t('Revoked'), tone: 'danger', icon: IconBan };
  }
}

/** Shown while the row is hovered, and on focus. */
function CopyButton({ token }: { token: string }) {
  const clipboard = useClipboard({ timeout: 1500 });
  const Icon = clipboard.copied ? IconCheck : IconCopy;
  return (
    <UnstyledButton
      className={tokenClasses.copy}
      aria-label={i18n.t('Copy: {label}', { label: token })}
      title={i18n.t('Copy')}
      onClick={() => clipboard.copy(token)}
    >
      <Icon size={14} stroke={1.7} aria-hidden />
      <span role="status" className={tokenClasses.copied}>
        {clipboard.copied && i18n.t('Copied')}
      </span>
    </UnstyledButton>
  );
}

export const tokenColumns = (): Column<RegistrationToken>[] => [
  {
    id: 'token',
    name: i18n.t('Token'),
    width: 200,
    order: 'token',
    cell: ({ token }) => (
      <span className={tokenClasses.named}>
        <Link
          from="/tokens"
          to="/tokens"
          search={(current) => ({ ...current, token, make: undefined })}
          className={classes.id}
          title={token}
        >
          <HazardText text={token} />
        </Link>
        <CopyButton token={token} />
      </span>
    ),
  },
  {
    id: 'state',
    name: i18n.t('Status'),
    width: 130,
    value: (token) => markOf(stateOf(token, Date.now())).words,
    cell: (token) => <StateMark {...markOf(stateOf(token, Date.now()))} />,
  },
  {
    id: 'completed',
    name: i18n.t('Completed'),
    width: 200,
    isNumeric: true,
    order: 'completed',
    descending: true,
    cell: ({ completed, uses_allowed: allowed }) => (
      <SizeBar share={allowed === null ? undefined : Math.min(1, completed / Math.max(1, allowed))} isWhole>
        {allowed === null
          ? i18n.t('{completed} (unlimited)', { completed: number(completed) })
          : i18n.t('{completed} of {allowed}', { completed: number(completed), allowed: number(allowed) })}
      </SizeBar>
    ),
  },
  {
    id: 'pending',
    name: i18n.t('Pending'),
    width: 100,
    isNumeric: true,
    isMinor: true,
    cell: ({ pending }) => (pending === 0 ? '' : number(pending)),
  },
  {
    id: 'expiry_time',
    name: i18n.t('Expires'),
    width: 120,
    comfortableWidth: timeColumnWidth,
    order: 'expiry_time',
    value: ({ expiry_time }) => fileTime(expiry_time),
    cell: ({ expiry_time: time }) => (time === null ? i18n.t('Never') : <TimeCell timestamp={time} />),
  },
];
