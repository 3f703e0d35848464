import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { isDelegated, offeredQuery } from '../../../api/supported-endpoints.ts';
import { useServer } from '../../../console-context.ts';
import { useStoreValue } from '../../../subscribers.ts';
import { useRoleLimit } from '../../../team/use-role.ts';
import { DelegatedAccounts } from '../DelegatedAccounts.tsx';
import classes from './Import.module.css';
import { ImportPreview } from './ImportPreview.tsx';
import { ImportRunView } from './ImportRunView.tsx';
import { ImportSource } from './ImportSource.tsx';
import { importOf } from './import-store.ts';

/** Imports users from CSV: a preview of each row's effect, then the result of each. */
export function ImportScreen() {
  const server = useServer();
  const store = importOf(server);
  const { source, run } = useStoreValue(store, store.read);
  const { data: offered } = useQuery(offeredQuery(server));
  const limit = useRoleLimit('lead');
  const isSupported = (['users', 'nameAvailable', 'accounts'] as const).every(
    (endpoint) => !offered || offered.has(endpoint) || offered.unknown.has(endpoint),
  );
  return (
    <div className={classes.screen}>
      <h1 className={classes.title}>{i18n.t('Import users')}</h1>
      {limit ? (
        <div className={classes.source}>
          <p className={classes.text}>{limit}</p>
        </div>
      ) : !isSupported ? (
        <div className={classes.source}>
          {offered && isDelegated(offered) ? (
            <>
              <DelegatedAccounts />
              <p className={classes.text}>
                {i18n.t(
                  'To import users, sign in in the browser as an admin of Matrix Authentication Service (MAS).',
                )}
              </p>
            </>
          ) : (
            <p className={classes.text}>{i18n.t('Not supported by this server.')}</p>
          )}
        </div>
      ) : run ? (
        <ImportRunView run={run} />
      ) : source ? (
        <ImportPreview source={source} />
      ) : (
        <ImportSource />
      )}
    </div>
  );
}
