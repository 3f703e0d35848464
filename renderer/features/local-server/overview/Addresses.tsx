import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { type DialectName, dialects } from '../../../../shared/dialect.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { useBench } from '../bench.ts';
import { answeredDialectsQuery } from './answered-dialects.ts';
import classes from './Overview.module.css';

const names = { vendor: /*i18n*/ 'Generic', matrix: /*i18n*/ 'Synapse' };

/** Where clients and administrators find the server, in each spelling of the interface that it answers. */
export function Addresses() {
  const bench = useBench();
  return (
    <Loaded
      query={useQuery(answeredDialectsQuery(bench))}
      loading={i18n.t('Loading addresses…')}
      lines={2}
      gone={i18n.t('Not supported by this server.')}
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
          <th scope="col">{i18n.t('API paths')}</th>
          <th scope="col">{i18n.t('Client API')}</th>
          <th scope="col">{i18n.t('Admin API')}</th>
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
