/** Bulk actions of several consoles and their job trays, without pages, on a real homeserver. */
import { i18n } from '@lingui/core';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { createRef, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Form, ItemState } from '../../renderer/actions/action.ts';
import { actionById } from '../../renderer/actions/catalogue/catalogue.ts';
import type { Item } from '../../renderer/actions/items.ts';
import { checkJob } from '../../renderer/actions/jobs/check-job.ts';
import type { Job } from '../../renderer/actions/jobs/job.ts';
import { jobsOf } from '../../renderer/actions/jobs/job-store.ts';
import {
  dismissJob,
  resumeJob,
  retryJob,
  startJob,
  stopJob,
  undoJob,
} from '../../renderer/actions/jobs/run-job.ts';
import { faultOf, initialFields, onlyShown, shownFields } from '../../renderer/actions/panel/answers.ts';
import { Steps } from '../../renderer/actions/panel/Steps.tsx';
import { JobFailures } from '../../renderer/actions/tray/JobDetails.tsx';
import { JobRow } from '../../renderer/actions/tray/JobRow.tsx';
import type { Endpoint } from '../../renderer/api/supported-endpoints.ts';
import { Console, type ConsoleContext, CurrentServer } from '../../renderer/console-context.ts';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import type { PageRequest } from '../../shared/outgoing-request.ts';
import type { Answers, Fields } from '../../shared/team/action-inputs.ts';
import { type Interfere, type TeamConsole, teamConsoles } from './team-consoles.ts';

export const unreachable = () => new ConnectionFailure('unreachable', "Can't reach the server.");

/** Intercepts only requests that suspend or unsuspend users. */
export const inSuspensions =
  (meddle: Interfere): Interfere =>
  (request, forward) =>
    request.method === 'PUT' && request.path.includes('/admin/v1/suspend/')
      ? meddle(request, forward)
      : forward();

export const isAbout = ({ path }: PageRequest, userId: string) => path.includes(encodeURIComponent(userId));

/** Blocks requests until the test releases them. */
export function holding() {
  const held: { request: PageRequest; goOn(): void; lose(): void }[] = [];
  const hold: Interfere = (request, forward) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    held.push({ request, goOn: resolve, lose: () => reject(unreachable()) });
    return promise.then(forward);
  };
  return { held, hold };
}

/** A job in the console's tray. */
type ShownJob = ReturnType<typeof shownJob>;

type PanelInput = { fields?: Fields; known?: ItemState; lacks?: readonly Endpoint[] };

function actionNamed(id: string) {
  const action = actionById(id);
  if (!action) throw new Error(`No action is called ${id}`);
  return action;
}

/** Links in the tray need a router. */
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

/** Returns the text that a component shows at first. */
const textIn = ({ context, server }: TeamConsole, element: ReactElement) =>
  renderToStaticMarkup(
    <RouterContextProvider router={router}>
      <QueryClientProvider client={context.queryClient}>
        <MantineProvider env="test">
          <Console.Provider value={context as unknown as ConsoleContext}>
            <CurrentServer.Provider value={server}>{element}</CurrentServer.Provider>
          </Console.Provider>
        </MantineProvider>
      </QueryClientProvider>
    </RouterContextProvider>,
  )
    .replace(/<style.*?<\/style>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ')
    .trim();

function shownJob(console: TeamConsole, id: string) {
  const { context, server } = console;
  const now = (): Job => {
    const job = jobsOf(server)
      .snapshot()
      .find((each) => each.id === id);
    if (!job) throw new Error('The tray has no such job');
    return job;
  };
  return {
    id,
    now,
    /** Returns the text of the row. */
    text: () => textIn(console, <JobRow job={now()} tray={createRef<HTMLElement>()} />),
    /** Returns the text of the list of failures. */
    failures() {
      const failures = now().items.filter(({ failure }) => failure);
      return textIn(console, <JobFailures job={now()} failures={failures} onRetry={() => {}} />);
    },
    stop: () => stopJob(context, now()),
    resume: () => resumeJob(context, now()),
    undo: () => undoJob(context, now()),
    check: () => checkJob(context, now()),
    dismiss: () => dismissJob(server, now()),
    /** Retries all failed items, or only one. */
    retry(userId?: string) {
      const one = now().items.find(({ item }) => 'userId' in item && item.userId === userId);
      return retryJob(context, now(), one?.transaction);
    },
  };
}

/** Sets up a test file, like `teamConsoles`. */
export function actingConsoles() {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  let created = 0;
  const consoles = teamConsoles();

  /** Runs an action like its panel. */
  function act(opened: TeamConsole, id: string, items: readonly Item[], answers: Partial<Answers> = {}) {
    const { job, secrets } = startJob(opened.context, {
      action: actionNamed(id),
      items,
      answers: { reason: '', fields: {}, ...answers },
    });
    return { ...shownJob(opened, job.id), secrets };
  }

  /** Returns the fields that an action's panel shows for this input. `lacks`: endpoints that the server doesn't have. */
  function panel(opened: TeamConsole, id: string, items: readonly Item[], input: PanelInput = {}) {
    const { fields = {}, known = {}, lacks = [] } = input;
    const { server } = opened;
    const action = actionNamed(id);
    const form: Form = {
      server,
      offered: { has: (endpoint) => !lacks.includes(endpoint) },
      items,
      known,
      administrators: [],
      fields: { ...initialFields(server, action, known), ...fields },
    };
    const shown = shownFields(action.fields, form);
    return {
      names: shown.map(({ name }) => name),
      answered: onlyShown(form, action.fields, shown),
      faults: shown.map((field) => faultOf(field, form)).filter(Boolean),
      /** Returns the text of the steps. */
      steps: () =>
        textIn(
          opened,
          <Steps action={action} form={form} shown={shown} inputOf={() => null} onField={() => {}} />,
        ),
    };
  }

  return Object.assign(consoles, {
    act,
    panel,
    suspend: (opened: TeamConsole, userIds: readonly string[]) =>
      act(
        opened,
        'suspend-user',
        userIds.map((userId) => ({ kind: 'user', userId })),
      ),
    /** Finds the job of a closed page on the next page. */
    find: (opened: TeamConsole, { id }: ShownJob) => shownJob(opened, id),
    /** Creates users. */
    users: (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          createUser(consoles.homeserver.services, { localpart: `mallory${++created}` }),
        ),
      ),
    /** Returns the number of suspended users among these. */
    async suspended(...userIds: string[]) {
      const admin = consoles.homeserver.as('admin');
      const users = await Promise.all(
        userIds.map((userId) => admin.get(`/_service/admin/v2/users/${encodeURIComponent(userId)}`)),
      );
      return users.filter(({ body }) => body.suspended).length;
    },
    /** Returns the actions in the console's local log. */
    log({ storage }: TeamConsole) {
      const kept = JSON.parse(storage.getItem('gatehouse.team.admin@team') ?? '[]');
      // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary entries
      return kept.map(({ body }: any) => body).filter(({ type }: any) => type === 'action') as any[];
    },
    /** Closes a page and opens the next one with its storage. */
    reload(opened: TeamConsole, interfere?: Interfere) {
      consoles.page.dispatchEvent(new Event('pagehide'));
      consoles.close(opened);
      return consoles.open('admin', { storage: opened.storage, ...(interfere && { interfere }) });
    },
  });
}
