import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { type DialectName, dialects } from '../../../../shared/dialect.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { useBench } from '../bench.ts';
import { answeredDialectsQuery } from './answered-dialects.ts';
import classes from './Overview.module.css';

const names = { vendor: /*i18n*/ 'Vendor', matrix: /*i18n*/ 'Matrix' };

/** Where clients and administrators find the server, in each spelling of the interface that it answers. */
export function Addresses() {
  const bench = useBench();
  return (
    <Loaded
      query={useQuery(answeredDialectsQuery(bench))}
      loading={i18n.t('Asking for the addresses…')}
      lines={2}
      gone={i18n.t("This server doesn't offer it.")}
    >
      {({ dialects: answered }) => <AddressTable baseUrl={bench.connection.baseUrl} answered={answered} />}
    </Loaded>
  );
}

type Props = { baseUrl: string; answered: readonly DialectName[] };

function AddressTable({ baseUrl, answered }: Props) {
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
        {answered.map((name) => {
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
