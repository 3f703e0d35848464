import { i18n } from '@lingui/core';
import { Link } from '@tanstack/react-router';
import type { RegistrationToken } from '../../api/registration-tokens.ts';
import { HazardText } from '../../components/HazardText.tsx';
import classes from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { TimeCell, timeColumnWidth } from '../../components/table/TimeCell.tsx';
import { number } from '../../words/format.ts';

type TokenState = 'valid' | 'used' | 'expired' | 'revoked';

/** @param now in milliseconds since 1970 */
export function stateOf(token: RegistrationToken, now: number): TokenState {
  const { uses_allowed: allowed, pending, completed, expiry_time: expiry } = token;
  if (token.mas?.revoked) return 'revoked';
  if (expiry !== null && expiry <= now) return 'expired';
  return allowed !== null && completed + pending >= allowed ? 'used' : 'valid';
}

function stateLabel(state: TokenState): string {
  switch (state) {
    case 'valid':
      return i18n.t('Valid');
    case 'used':
      return i18n.t('Used up');
    case 'expired':
      return i18n.t('Expired');
    case 'revoked':
      return i18n.t('Revoked');
  }
}

export const tokenColumns = (): Column<RegistrationToken>[] => [
  {
    id: 'token',
    name: i18n.t('Token'),
    width: 300,
    order: 'token',
    cell: ({ token }) => (
      <Link
        from="/tokens"
        to="/tokens"
        search={(current) => ({ ...current, token, make: undefined })}
        className={classes.id}
        title={token}
      >
        <HazardText text={token} />
      </Link>
    ),
  },
  {
    id: 'state',
    name: i18n.t('Status'),
    width: 130,
    cell: (token) => {
      const state = stateOf(token, Date.now());
      return (
        <span className={classes.state} data-good={state === 'valid' || undefined}>
          {stateLabel(state)}
        </span>
      );
    },
  },
  {
    id: 'completed',
    name: i18n.t('Completed'),
    width: 130,
    isNumeric: true,
    order: 'completed',
    descending: true,
    cell: ({ completed, uses_allowed: allowed }) =>
      allowed === null
        ? i18n.t('{completed} (unlimited)', { completed: number(completed) })
        : i18n.t('{completed} of {allowed}', { completed: number(completed), allowed: number(allowed) }),
  },
  {
    id: 'pending',
    name: i18n.t('Pending'),
    width: 100,
    isNumeric: true,
    cell: ({ pending }) => (pending === 0 ? '' : number(pending)),
  },
  {
    id: 'expiry_time',
    name: i18n.t('Expires'),
    width: 120,
    comfortableWidth: timeColumnWidth,
    order: 'expiry_time',
    cell: ({ expiry_time: time }) => (time === null ? i18n.t('Never') : <TimeCell timestamp={time} />),
  },
];
