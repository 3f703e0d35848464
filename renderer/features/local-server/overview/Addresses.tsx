import { i18n } from '@lingui/core';
import { dialectNames, dialects } from '../../../../shared/dialect.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import classes from './Overview.module.css';

const names = { vendor: /*i18n*/ 'Vendor', matrix: /*i18n*/ 'Matrix' };

/** Where clients and administrators find the server, in each spelling of the interface. */
export function Addresses({ baseUrl }: { baseUrl: string }) {
  return (
    <table className={classes.addresses}>
      <thead>
        <tr>
          <th scope="col">{i18n.t('Dialect')}</th>
          <th scope="col">{i18n.t('For clients')}</th>
          <th scope="col">{i18n.t('For administrators')}</th>
        </tr>
      </thead>
      <tbody>
        {dialectNames.map((name) => {
          const { chat, administration } = dialects[name];
          const [clients, administrators] = [baseUrl + chat, baseUrl + administration];
          return (
            <tr key={name}>
              <th scope="row">{i18n.t(names[name])}</th>
              <td>
                <CopyText text={clients} label={clients} />
              </td>
              <td>
                <CopyText text={administrators} label={administrators} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
