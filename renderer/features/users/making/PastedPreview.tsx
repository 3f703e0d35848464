import { i18n } from '@lingui/core';
import { number } from '../../../words/format.ts';
import classes from '../Users.module.css';
import type { Pasted } from './pasted-names.ts';

type Props = { pasted: readonly Pasted[]; server: string; most: number };

/** So many of those that are left out are shown however many will be made. */
const leastFaults = 100;

/**
 * What a pasted list means, line by line. Of a list that is too long to be shown as it stands, those who will be made
 * come first, and then what is left out.
 *
 * @param server the name of the one that they will be of
 * @param most how many lines are shown of each kind
 */
export function PastedPreview({ pasted, server, most }: Props) {
  const shown = shownOf(pasted, most);
  const others = pasted.length - shown.length;
  return (
    <div className={classes.preview}>
      <table aria-label={i18n.t('Users to create')}>
        <thead>
          <tr>
            <th scope="col">{i18n.t('User')}</th>
            <th scope="col">{i18n.t('Display name')}</th>
            <th scope="col">{i18n.t('Email')}</th>
            <th scope="col">{i18n.t('Skipped')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ localpart, displayname, mail, fault }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
            <tr key={index}>
              <td>{`@${localpart}:${server}`}</td>
              <td>{displayname}</td>
              <td>{mail}</td>
              <td data-fault={fault !== undefined || undefined}>{fault}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {others > 0 && (
        <p className={classes.text}>
          {i18n.t('{shown} more not shown', { count: others, shown: number(others) })}
        </p>
      )}
    </div>
  );
}

function shownOf(pasted: readonly Pasted[], most: number): readonly Pasted[] {
  if (pasted.length <= most) return pasted;
  const { made = [], out = [] } = Object.groupBy(pasted, ({ fault }) =>
    fault === undefined ? 'made' : 'out',
  );
  const first = made.slice(0, most);
  return [...first, ...out.slice(0, Math.max(leastFaults, most - first.length))];
}
