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
import { JobFailures } from '../../renderer/actions/tray/JobDetails.tsx';
import { JobRow } from '../../renderer/actions/tray/JobRow.tsx';
import { Console, type ConsoleContext, CurrentServer } from '../../renderer/console-context.ts';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import type { PageRequest } from '../../shared/outgoing-request.ts';
import type { Answers } from '../../shared/team/action-inputs.ts';
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

/** Links in the tray need a router. */
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

function shownJob(console: TeamConsole, id: string) {
  const { context, server } = console;
  const now = (): Job => {
    const job = jobsOf(server)
      .snapshot()
      .find((each) => each.id === id);
    if (!job) throw new Error('The tray has no such job');
    return job;
  };
  const textIn = (element: ReactElement) =>
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
  return {
    id,
    now,
    /** Returns the text of the row. */
    text: () => textIn(<JobRow job={now()} tray={createRef<HTMLElement>()} />),
    /** Returns the text of the list of failures. */
    failures() {
      const failures = now().items.filter(({ failure }) => failure);
      return textIn(<JobFailures job={now()} failures={failures} onRetry={() => {}} />);
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
    const action = actionById(id);
    if (!action) throw new Error(`No action is called ${id}`);
    const { job } = startJob(opened.context, {
      action,
      items,
      answers: { reason: '', fields: {}, ...answers },
    });
    return shownJob(opened, job.id);
  }

  return Object.assign(consoles, {
    act,
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
