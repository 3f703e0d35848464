/**
 * Screens without a page, on a real homeserver: the text that they show once the server has answered. What needs
 * effects, measures, keys or clicks is tested in a page.
 */
import { text } from 'node:stream/consumers';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider, skipToken } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { DomUtils, parseDocument } from 'htmlparser2';
import { prerenderToNodeStream } from 'react-dom/static';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { makeConsole } from '../../renderer/console/make-console.ts';
import type { Team } from '../../renderer/team/team.ts';
import { teamOf } from '../../renderer/team/team-store.ts';
import { browserHost } from '../../renderer/transport/browser.ts';
import type { DialectName } from '../../shared/dialect.ts';
import { startHomeserver, type TestHomeserver } from '../server/homeserver.ts';
import { until } from '../until.ts';
import { memoryStorage, stubPage } from './page-stub.ts';
import type { Interfere } from './team-consoles.ts';

type Options = {
  /** Localpart. */
  person?: string;
  dialect?: DialectName;
  interfere?: Interfere;
  /** What the team has done. Without it, the team's entries may be unknown. */
  given?: (team: Team) => unknown;
  /** Values in local storage. */
  stored?: Record<string, unknown>;
  /** In a window with space for open sections. */
  isSpacious?: boolean;
};

type Body = Record<string, unknown>;

/** Changes the body of replies to requests for a path, without its query. */
export const changing =
  (path: RegExp, change: (body: Body) => Body): Interfere =>
  async (request, forward) => {
    const reply = await forward();
    return path.test(request.path.replace(/\?.*/, ''))
      ? { ...reply, body: change(reply.body as Body) }
      : reply;
  };

/** Sets up a test file, with one homeserver. */
export function shownScreens() {
  const page = stubPage();
  const media = { matches: false, addEventListener() {}, removeEventListener() {} };
  let homeserver: TestHomeserver;

  beforeAll(async () => {
    i18n.loadAndActivate({ locale: 'en', messages: {} });
    const location = { origin: page.origin, href: page.origin };
    const navigator = { userAgent: '', platform: '' };
    Object.assign(page, { navigator, location, matchMedia: () => media });
    vi.stubGlobal('location', location);
    homeserver = await startHomeserver();
  });
  afterAll(() => homeserver.remove());

  return {
    get homeserver() {
      return homeserver;
    },
    /** Returns the text of a screen's main part; `path` is below `/console`. */
    async open(
      path: string,
      {
        person = 'admin',
        dialect = 'vendor',
        interfere,
        given,
        stored = {},
        isSpacious = false,
      }: Options = {},
    ) {
      media.matches = isSpacious;
      const { userId, accessToken = '' } = homeserver.as(person);
      const connection = { id: `${person}@home`, baseUrl: homeserver.url, dialect, userId, local: false };
      const session = memoryStorage();
      session.setItem('gatehouse.sessions', JSON.stringify([{ connection, accessToken }]));
      const local = memoryStorage();
      for (const [key, value] of Object.entries(stored)) local.setItem(key, JSON.stringify(value));
      const host = browserHost(session);
      const console = makeConsole(
        {
          ...host,
          request(id, request, options) {
            const forward = () => host.request(id, request, options);
            return interfere ? interfere(request, forward) : forward();
          },
        },
        {
          storages: { local, session },
          history: createMemoryHistory({ initialEntries: [`/console${path}`] }),
        },
      );
      try {
        await console.enter({ loginToken: undefined, response: undefined });
        const team = teamOf(console.servers.of(connection));
        if (given) {
          team.subscribe(() => {});
          await until(() => expect(team.snapshot().areMarksKnown).toBe(true));
          given(team.snapshot());
        }
        await console.router.load();
        const { queryClient } = console;
        const asked = queriesIn(queryClient);
        const answered = new Set<string>();
        for (;;) {
          const shown = await mainText(console);
          const unanswered = [...asked].filter((hash) => !answered.has(hash));
          if (unanswered.length === 0) return shown;
          for (const hash of unanswered) answered.add(hash);
          await Promise.allSettled(unanswered.map((hash) => queryClient.getQueryCache().get(hash)?.fetch()));
        }
      } finally {
        console.close();
      }
    },
  };
}

/** Returns the hashes of the screen's enabled queries without data, as they are added: effects would fetch them. */
function queriesIn(queryClient: QueryClient): ReadonlySet<string> {
  const asked = new Set<string>();
  const withDefaults = queryClient.defaultQueryOptions.bind(queryClient);
  queryClient.defaultQueryOptions = ((given: Parameters<typeof withDefaults>[0]) => {
    const options = withDefaults(given);
    const { queryHash, queryFn, enabled } = options;
    const query = queryClient.getQueryCache().get(queryHash);
    const isEnabled = typeof enabled === 'function' ? query && enabled(query as never) : enabled !== false;
    const isPending = query?.state.status !== 'success' && query?.state.status !== 'error';
    if (isEnabled && isPending && queryFn !== skipToken) asked.add(queryHash);
    // A failure stays, however long the next rendering takes.
    return { ...options, retryOnMount: false };
  }) as typeof withDefaults;
  return asked;
}

async function mainText({ queryClient, router }: ReturnType<typeof makeConsole>): Promise<string> {
  const errors: unknown[] = [];
  const { prelude } = await prerenderToNodeStream(
    <I18nProvider i18n={i18n}>
      <DirectionProvider>
        <MantineProvider env="test">
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </MantineProvider>
      </DirectionProvider>
    </I18nProvider>,
    // In one piece, without placeholders.
    { onError: (error) => void errors.push(error), progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  );
  if (errors.length > 0) throw errors[0];
  const html = (await text(prelude)).replace(/<(style|script)\b.*?<\/\1>/gs, '');
  const main = DomUtils.findOne(({ name }) => name === 'main', parseDocument(html).children);
  if (!main) throw new Error(`There is no main part: ${html}`);
  return textOf(main).replace(/\s+/g, ' ').trim();
}

type HtmlNode = ReturnType<typeof parseDocument>['children'][number];

/** Returns an element's text, with spaces between elements. */
const textOf = (node: HtmlNode): string =>
  'children' in node ? node.children.map(textOf).join(' ') : DomUtils.textContent(node);
