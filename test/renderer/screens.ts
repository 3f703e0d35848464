/**
 * Every screen of the console in every state, for accessibility checks, layout checks and screenshots. Add new
 * screens, menus, dialogs and panels here.
 */
import type { Locator, Page } from 'playwright';
import type { LocalServerState } from '../../shared/bridge.ts';

export type ScreenState = {
  name: string;
  /** Path under `/console`. */
  path: string;
  /** Server data; plenty by default. */
  data?: 'none';
  /** No user is signed in. */
  signedOut?: true;
  /** Server behavior for admin requests; normal by default. */
  server?: 'failing' | 'silent' | 'signed out' | 'without a bench';
  /** The server has features that the bundled one lacks. */
  unlikeOurs?: true;
  /** State of the local server in the desktop app. Without it, the console runs in a browser. */
  desktop?: LocalServerState;
  /** Steps from the loaded screen to the state. */
  reach?: (page: Page) => Promise<unknown>;
  /** The URL keeps the state. */
  lasts?: true;
  /** Visible when the state is reached. */
  shows: (page: Page) => Locator;
};

const key =
  (...keys: string[]) =>
  async (page: Page) => {
    for (const each of keys) await page.keyboard.press(each);
  };
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name });
const click = (name: string | RegExp) => (page: Page) => button(name)(page).first().click();
const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first();
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first();

const reportList = (page: Page) => page.getByRole('listbox', { name: 'Reports' });
const rows = (page: Page) => reportList(page).getByRole('option').first();
const openReport = (page: Page) => page.getByRole('article', { name: 'Reported message' });

/** Opens the list's first report before the steps. */
const withReport =
  (reach: (page: Page) => Promise<unknown> = async () => {}) =>
  async (page: Page) => {
    await rows(page).waitFor();
    await key('j')(page);
    await openReport(page).waitFor();
    await reach(page);
  };

/** Opens the first room as a policy list, with a query. */
const openList = (query: string) => async (page: Page) => {
  const path = await page.locator('[data-row="0"] a').first().getAttribute('href');
  const [room = ''] = /(?<=\/rooms\/)[^/?]+/.exec(path ?? '') ?? [];
  await page.goto(`${new URL(page.url()).origin}/console/reports/lists/${room}${query}`);
};

const entrance: ScreenState[] = [
  { name: 'sign in', path: '/connect', signedOut: true, shows: text('Sign in to a server') },
  {
    name: 'sign in with a token',
    path: '/connect',
    signedOut: true,
    reach: async (page) => {
      const flows = [{ type: 'm.login.password' }, { type: 'org.vendor.login.jwt' }];
      await page.route('**/client/v3/login', (route) => route.fulfill({ json: { flows } }));
      await page.reload();
      await page.getByText('JWT', { exact: true }).click();
    },
    shows: text('JSON Web Token'),
  },
  {
    name: 'sign in refused',
    path: '/connect',
    signedOut: true,
    reach: async (page) => {
      await page.getByLabel('Username').fill('moderator');
      await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
      await click('Sign in')(page);
    },
    shows: (page) => page.getByRole('alert'),
  },
];

const reports: ScreenState[] = [
  { name: 'reports, none', path: '/reports', data: 'none', shows: heading('No reports') },
  { name: 'reports, no answer', path: '/reports', server: 'silent', shows: text('Server is slow.') },
  {
    name: 'reports, failing',
    path: '/reports',
    server: 'failing',
    shows: heading("Couldn't load reports"),
  },
  {
    name: 'reports, signed out',
    path: '/reports',
    server: 'signed out',
    shows: heading('Your session has ended'),
  },
  { name: 'reports', path: '/reports', shows: rows },
  {
    name: 'reports, none matches',
    path: '/reports?sender=@nobody:localhost',
    shows: heading('No matching reports'),
  },
  {
    name: 'reports, filtered',
    path: '/reports?sender=@mallory:localhost&order=oldest',
    reach: withReport(),
    lasts: true,
    shows: openReport,
  },
  {
    name: 'reports, filter being typed',
    path: '/reports',
    reach: async (page) => {
      await rows(page).waitFor();
      await key('/')(page);
      await page.keyboard.type('m');
    },
    shows: (page) => page.getByRole('option', { name: /@mallory:localhost/ }).last(),
  },
  {
    name: 'reports, recent status messages',
    path: '/reports',
    reach: withReport(async (page) => {
      await key('e')(page);
      await click('Recent status messages')(page);
    }),
    shows: (page) => page.getByRole('dialog', { name: 'Recent status messages' }),
  },
  { name: 'report', path: '/reports', reach: withReport(), lasts: true, shows: openReport },
  {
    name: 'reports, resolved',
    path: '/reports',
    reach: withReport(key('e', 'k')),
    shows: button('Reopen'),
  },
  {
    name: 'reports, several selected',
    path: '/reports',
    reach: withReport(key('x', 'j', 'x', 'j', 'x')),
    shows: text('3 selected'),
  },
  {
    name: 'reports, menu of a person',
    path: '/reports',
    reach: withReport((page) => page.getByRole('button', { name: /^Sender: / }).click()),
    shows: (page) => page.getByRole('menuitem', { name: 'Copy full ID' }),
  },
  {
    name: 'reports, open',
    path: '/reports?queue=unreviewed&order=severity',
    reach: withReport(),
    lasts: true,
    shows: openReport,
  },
  {
    name: 'reports, by sender',
    path: '/reports?group=sender',
    shows: (page) => page.getByRole('list', { name: 'Grouped reports' }).getByRole('button').first(),
  },
  {
    name: 'reports, one group unfolded',
    path: '/reports?group=event',
    reach: (page) =>
      page
        .getByRole('list', { name: 'Grouped reports' })
        .getByRole('button', { expanded: false })
        .first()
        .click(),
    shows: (page) => page.getByRole('list', { name: 'Reports in group' }).getByRole('button').first(),
  },
  {
    name: 'reports, ways to group',
    path: '/reports',
    reach: async (page) => {
      await rows(page).waitFor();
      await click('Group reports')(page);
    },
    shows: (page) => page.getByRole('menuitemradio', { name: 'By sender' }),
  },
  {
    name: 'reports, jump',
    path: '/reports',
    reach: async (page) => {
      await rows(page).waitFor();
      await key('g')(page);
    },
    shows: (page) => page.getByLabel('Day'),
  },
  {
    name: 'reports, all actions',
    path: '/reports',
    reach: withReport((page) =>
      page.getByRole('toolbar', { name: 'Actions' }).getByRole('button').last().click(),
    ),
    shows: (page) => page.getByRole('menuitem').first(),
  },
  {
    name: 'action panel',
    path: '/reports?sender=@mallory:localhost',
    reach: withReport(click(/^Suspend/)),
    shows: (page) => page.getByRole('dialog', { name: /^Suspend/ }).getByLabel(/Reason/),
  },
  {
    name: 'reports, taking somebody down',
    path: '/reports',
    reach: withReport(key('d')),
    shows: text('Runs the selected steps for'),
  },
  {
    name: 'reports, one that is gone',
    path: '/reports?report=999999',
    shows: text('Report 999999 not found'),
  },
];

const triage: ScreenState[] = [
  {
    name: 'reports, ways to order',
    path: '/reports',
    reach: async (page) => {
      await rows(page).waitFor();
      await click(/^Sort:/)(page);
    },
    shows: (page) => page.getByRole('menuitemradio').first(),
  },
  {
    name: 'reports, a key that waits',
    path: '/reports',
    reach: async (page) => {
      // Requests for later pages never finish.
      await page.route(/event_reports\?.*from=[1-9]/, () => {});
      await page.reload();
      await withReport(key('End', 'e'))(page);
    },
    shows: text('E pending until the report loads. Esc cancels.'),
  },
  {
    name: 'reports, export',
    path: '/reports',
    reach: async (page) => {
      await rows(page).waitFor();
      await click('Export reports')(page);
    },
    shows: (page) => page.getByRole('button', { name: 'Export', exact: true }),
  },
  {
    name: 'reports, sharing asked',
    path: '/reports',
    reach: withReport(click('Share with team…')),
    shows: button('Create team room'),
  },
  {
    name: 'statistics',
    path: '/reports/statistics',
    shows: (page) => page.getByRole('table', { name: 'Reports by room' }),
  },
  {
    name: 'statistics, none',
    path: '/reports/statistics',
    data: 'none',
    shows: heading('Report statistics'),
  },
  {
    name: 'statistics, failing',
    path: '/reports/statistics',
    server: 'failing',
    shows: heading("Couldn't load reports"),
  },
];

const tasks: ScreenState[] = [
  { name: 'tasks, none', path: '/tasks', data: 'none', shows: heading('No tasks') },
  { name: 'tasks, no answer', path: '/tasks', server: 'silent', shows: text('Server is slow.') },
  {
    name: 'tasks, failing',
    path: '/tasks',
    server: 'failing',
    shows: heading("Couldn't load tasks"),
  },
  {
    name: 'tasks, none matches',
    path: '/tasks?action=nothing',
    shows: heading('No matching tasks'),
  },
  { name: 'tasks', path: '/tasks', shows: (page) => page.getByRole('table', { name: 'Tasks' }) },
  {
    name: 'tasks, one unfolded',
    path: '/tasks',
    reach: (page) => click(/^Details:/)(page),
    shows: (page) => page.getByRole('table', { name: 'Tasks' }).getByRole('tree').first(),
  },
];

const table = (name: string | RegExp) => (page: Page) =>
  page.getByRole('table', { name }).getByRole('checkbox').first();

async function selectTwoUsers(page: Page) {
  await table('Users')(page).waitFor();
  await key('j', 'x', 'j', 'x')(page);
  await text('2 selected')(page).waitFor();
}

const users: ScreenState[] = [
  {
    name: 'users, failing',
    path: '/users',
    server: 'failing',
    shows: heading("Couldn't load users"),
  },
  { name: 'users, none matches', path: '/users?search=nobody-has-this', shows: heading('No matching users') },
  { name: 'users', path: '/users?deactivated=true&locked=true', shows: table('Users') },
  { name: 'look-alikes, of nobody', path: '/users/look-alikes', shows: heading('Find impersonators') },
  {
    name: 'look-alikes, none',
    path: '/users/look-alikes?search=nobody-has-this',
    shows: heading('No look-alikes'),
  },
  {
    name: 'look-alikes, failing',
    path: '/users/look-alikes?search=ada',
    server: 'failing',
    shows: heading("Couldn't scan users"),
  },
  { name: 'look-alikes', path: '/users/look-alikes?search=ada', shows: table('Look-alikes') },
  {
    name: 'users, columns',
    path: '/users',
    reach: click('Columns'),
    shows: (page) => page.getByRole('menuitemcheckbox', { name: 'Admin' }),
  },
  {
    name: 'users, some selected',
    path: '/users',
    reach: selectTwoUsers,
    shows: text('2 selected'),
  },
  { name: 'basket, empty', path: '/basket', shows: heading('Basket is empty') },
  {
    name: 'basket',
    path: '/users',
    reach: async (page) => {
      await selectTwoUsers(page);
      await key('Shift+B')(page);
      await page.getByRole('link', { name: 'Basket' }).click();
    },
    shows: table('Basket'),
  },
  {
    name: 'job, with a failure',
    path: '/users',
    reach: async (page) => {
      await page.route('**/admin/v1/suspend/**', (route) =>
        route.request().method() === 'GET'
          ? route.continue()
          : route.fulfill({ status: 403, json: { errcode: 'M_FORBIDDEN', error: 'Protected by a module' } }),
      );
      await selectTwoUsers(page);
      await click(/^Suspend 2 users/)(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Suspend 2 users' }).click();
      await page.getByRole('button', { name: '2 failures' }).waitFor();
      await page.getByRole('link', { name: 'Details' }).click();
    },
    shows: (page) => page.getByRole('table', { name: 'Suspend 2 users' }).getByText('Failed').first(),
  },
  { name: 'job, unknown', path: '/jobs/unknown', shows: heading('Job no longer stored') },
  {
    name: 'user being made',
    path: '/users?make=true',
    reach: (page) => page.getByRole('textbox', { name: 'Name', exact: true }).fill('ada'),
    shows: text('This name is or was taken.'),
  },
  {
    name: 'user import, preview',
    path: '/users/import',
    reach: async (page) => {
      await page
        .getByRole('textbox', { name: 'Or paste' })
        .fill('username,displayname,email\njoan,Joan Clarke,joan@example.org\nmary ann\nada');
      await page.getByRole('button', { name: 'Preview import' }).click();
    },
    shows: (page) => page.getByRole('button', { name: 'Import 1 user' }),
  },
  {
    name: 'user',
    path: '/users/@mallory:localhost',
    shows: (page) => page.getByRole('toolbar', { name: 'Actions' }).first(),
  },
  {
    name: 'user, sessions',
    path: '/users/@mallory:localhost?part=sessions',
    shows: heading('Connections'),
  },
  {
    name: 'user, account data',
    path: '/users/@mallory:localhost?part=data',
    reach: async (page) => {
      const kept = {
        global: { 'im.example.settings': { theme: 'dark' } },
        rooms: { '!a:b': { 'm.tag': {} } },
      };
      await page.route('**/accountdata', (route) => route.fulfill({ json: { account_data: kept } }));
      await page.reload();
      await click('im.example.settings')(page);
    },
    shows: text('theme'),
  },
  { name: 'user, rooms', path: '/users/@mallory:localhost?part=rooms', shows: table('Rooms') },
  { name: 'user, media', path: '/users/@ada:localhost?part=media', shows: heading('Media') },
  {
    name: 'user, profile asked',
    path: '/users/@mallory:localhost',
    reach: async (page) => {
      await click('More')(page);
      await page.getByRole('menuitem', { name: /^Edit profile/ }).click();
    },
    shows: (page) => page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }),
  },
  {
    name: 'user, logging in as them',
    path: '/users/@mallory:localhost',
    reach: click('Log in as user'),
    shows: button('Create token'),
  },
  {
    name: 'user that is not there',
    path: '/users/@nobody:localhost',
    shows: heading('Account not found'),
  },
];

/** A busy room's page, on one of its tabs. */
const helpDesk =
  (part = 'Overview', reach: (page: Page) => Promise<unknown> = async () => {}) =>
  async (page: Page) => {
    await page.getByRole('link', { name: 'Help desk' }).click();
    await page.getByRole('tab', { name: part }).click();
    await reach(page);
  };

const rooms: ScreenState[] = [
  { name: 'rooms, none', path: '/rooms', data: 'none', shows: heading('No rooms') },
  { name: 'rooms, no answer', path: '/rooms', server: 'silent', shows: text('Server is slow.') },
  { name: 'rooms', path: '/rooms', shows: table('Rooms') },
  {
    name: 'rooms, failing',
    path: '/rooms',
    server: 'failing',
    shows: heading("Couldn't load rooms"),
  },
  {
    name: 'rooms, none matches',
    path: '/rooms?search=nothing-is-called-this',
    shows: heading('No matching rooms'),
  },
  {
    name: 'room that is not there',
    path: '/rooms/!nothing:localhost',
    shows: heading('Unknown room'),
  },
  {
    name: 'room',
    path: '/rooms?search=Help',
    reach: helpDesk(),
    shows: (page) => page.getByRole('toolbar', { name: 'Actions' }).first(),
  },
  {
    name: 'room, members selected',
    path: '/rooms?search=Help',
    reach: helpDesk('Members', async (page) => {
      await table('Members')(page).waitFor();
      await key('j', 'x', 'j', 'x')(page);
    }),
    shows: text('2 selected'),
  },
  {
    name: 'room, state',
    path: '/rooms?search=Help',
    reach: helpDesk('State', (page) => page.getByRole('treeitem', { name: 'm.room.power_levels' }).click()),
    shows: (page) => page.getByPlaceholder('Search names and values'),
  },
  {
    name: 'room, messages',
    path: '/rooms?search=Help',
    reach: helpDesk('Messages'),
    shows: (page) => page.getByRole('region', { name: 'Messages' }).getByRole('listitem').first(),
  },
  {
    name: 'room, spaces',
    path: '/rooms?search=Help',
    reach: helpDesk('Spaces'),
    shows: text("This room isn't a space."),
  },
  {
    name: 'room, history to be purged',
    path: '/rooms?search=Help',
    reach: helpDesk('Overview', async (page) => {
      await click('More')(page);
      await page.getByRole('menuitem', { name: /^Purge history/ }).click();
      await page.getByLabel('Events before').fill('2100-01-01T00:00');
    }),
    shows: text('A purge of this room is scheduled'),
  },
];

const region = (name: string) => (page: Page) => page.getByRole('region', { name, exact: true });

const home: ScreenState[] = [
  {
    name: 'home',
    path: '/home',
    shows: (page) => page.getByRole('table', { name: 'Rooms with most state' }),
  },
  {
    name: 'home, a server that is new',
    path: '/home',
    data: 'none',
    shows: text('No media'),
  },
  {
    name: 'home, failing',
    path: '/home',
    server: 'failing',
    shows: text(/The database is being restored/),
  },
  {
    name: 'home, no answer',
    path: '/home',
    server: 'silent',
    shows: (page) => region('Tasks')(page).getByText('Loading tasks…'),
  },
  {
    name: 'home, a large server',
    path: '/home',
    reach: async (page) => {
      await page.route('**/federation/v1/version', (route) =>
        route.fulfill({ json: { server: { name: 'Synapse', version: '1.98.0' } } }),
      );
      await page.route('**/admin/v2/users?**limit=1&**', (route) =>
        route.fulfill({ json: { total: 60_000, users: [] } }),
      );
      await page.reload();
    },
    shows: (page) => region('Media')(page).getByRole('button', { name: 'Load' }),
  },
];

/** Like Synapse, which counts only on request. */
const countsNothing = async (page: Page) => {
  await page.route('**/federation/v1/version', (route) =>
    route.fulfill({ json: { server: { name: 'Synapse', version: '1.98.0' } } }),
  );
  await page.route('**/v2/users?**', (route) => route.fulfill({ json: { users: [], total: 60_000 } }));
  await page.reload();
};

const media: ScreenState[] = [
  { name: 'media, none', path: '/media', data: 'none', shows: heading('No media') },
  { name: 'media, no answer', path: '/media', server: 'silent', shows: text('Server is slow.') },
  {
    name: 'media, failing',
    path: '/media/users/@ada:localhost',
    server: 'failing',
    shows: heading("Couldn't load media"),
  },
  {
    name: 'media by user',
    path: '/media',
    shows: table('Media by user'),
  },
  {
    name: 'media by user, a server that counts only when asked',
    path: '/media',
    reach: countsNothing,
    shows: button('Count media'),
  },
  { name: 'media by user, none matches', path: '/media?search=nobody', shows: heading('No matching users') },
  { name: 'media of a user', path: '/media/users/@ada:localhost', shows: table(/^Media of/) },
  {
    name: 'media of a user, some selected',
    path: '/media/users/@ada:localhost?kind=other',
    reach: (page) => page.getByRole('checkbox', { name: 'Select all matches' }).click(),
    shows: button(/^Quarantine \d+ media/),
  },
  {
    name: 'media of a user, none matches',
    path: '/media/users/@ada:localhost?text=nothing-like-that',
    shows: heading('No matching media'),
  },
  {
    name: 'media of a room',
    path: '/rooms?search=Help',
    reach: async (page) => {
      await page.getByRole('link', { name: 'Help desk' }).click();
      await page.getByRole('link', { name: 'Room media' }).click();
    },
    shows: heading(/^Media in/),
  },
  {
    name: 'upload',
    path: '/media/users/@ada:localhost?kind=image',
    reach: (page) => page.getByRole('link', { name: 'IMG_2041.jpg' }).first().click(),
    lasts: true,
    shows: heading('Used in'),
  },
  {
    name: 'upload that is not there',
    path: '/media/uploads/localhost/nothing',
    shows: heading('File not found'),
  },
  {
    name: 'quarantine changes',
    path: '/media/quarantine-changes',
    shows: heading('Quarantine changes'),
  },
  {
    name: 'cleaning up, counted',
    path: '/media/clean-up?since=2100-01-01',
    reach: click('Preview deletion'),
    shows: button(/^Delete [\d,]+ files/),
  },
];

const policyLists: ScreenState[] = [
  { name: 'policy lists, none', path: '/reports/lists', shows: heading('No policy lists') },
  {
    name: 'policy lists, watching one',
    path: '/reports/lists?add=watch',
    shows: (page) => page.getByRole('dialog', { name: 'Watch policy list' }),
  },
  {
    name: 'policy lists, creating one',
    path: '/reports/lists?add=create',
    shows: (page) => page.getByRole('dialog', { name: 'Create policy list' }),
  },
  {
    name: 'policy list, not there',
    path: '/reports/lists/!nowhere:localhost',
    shows: heading('Policy list not found'),
  },
  {
    name: 'policy list',
    path: '/rooms',
    reach: openList(''),
    shows: heading('No rules'),
  },
  {
    name: 'policy list, matches',
    path: '/rooms',
    reach: openList('?tab=matches'),
    shows: heading('Preview this list'),
  },
  {
    name: 'policy list, server ACL',
    path: '/rooms',
    reach: openList('?tab=acl'),
    shows: text('No servers to deny'),
  },
];

const tokens: ScreenState[] = [
  { name: 'tokens, none', path: '/tokens', data: 'none', shows: heading('No tokens') },
  {
    name: 'tokens, failing',
    path: '/tokens',
    server: 'failing',
    shows: heading("Couldn't load tokens"),
  },
  { name: 'tokens', path: '/tokens?token=summer-school', shows: button('Change token') },
  { name: 'tokens, none matches', path: '/tokens?search=nothing', shows: heading('No matching tokens') },
  {
    name: 'tokens, a new one',
    path: '/tokens?make=true',
    shows: (page) => page.getByRole('dialog', { name: 'Create token' }),
  },
  {
    name: 'tokens, deleting one',
    path: '/tokens?token=summer-school',
    reach: click('Delete token'),
    shows: (page) => page.getByRole('dialog', { name: 'Delete token' }),
  },
];

const filedReports: ScreenState[] = [
  { name: 'reports on users', path: '/reports/users/2', shows: heading('Report 2') },
  {
    name: 'reports on users, one that is not in the list',
    path: '/reports/users/2?queue=resolved',
    shows: text("This report isn't in this queue."),
  },
  { name: 'reports on users, none', path: '/reports/users', data: 'none', shows: heading('No reports') },
  {
    name: 'reports on users, failing',
    path: '/reports/users',
    server: 'failing',
    shows: heading("Couldn't load reports"),
  },
];

const policies: ScreenState[] = [
  { name: 'policies, none', path: '/reports/policies', shows: heading('No policies') },
  {
    name: 'policies, drafts to begin with',
    path: '/reports/policies',
    reach: click('Add starter drafts'),
    shows: heading(/^Spam/),
  },
  {
    name: 'policies, one edited',
    path: '/reports/policies',
    reach: async (page) => {
      await click('Add starter drafts')(page);
      await click('Edit Harassment')(page);
    },
    shows: (page) => page.getByRole('dialog', { name: 'Edit policy' }),
  },
];

const cases: ScreenState[] = [
  { name: 'cases, none', path: '/reports/cases', data: 'none', shows: heading('No open cases') },
  {
    name: 'cases, failing',
    path: '/reports/cases',
    server: 'failing',
    shows: heading("Couldn't load reports"),
  },
  {
    name: 'case',
    path: '/reports/cases',
    reach: async (page) => {
      await page.getByRole('option').first().waitFor();
      await key('j')(page);
    },
    lasts: true,
    shows: (page) => page.getByRole('region', { name: 'Case', exact: true }),
  },
  { name: 'appeals, none', path: '/reports/cases?queue=appeals', shows: heading('No appeals') },
  {
    name: 'appeal',
    path: '/users/@mallory:localhost',
    reach: async (page) => {
      await page.route('**/admin/v1/suspend/**', (route) =>
        route.request().method() === 'GET' ? route.continue() : route.fulfill({ json: {} }),
      );
      await click(/^Suspend/)(page);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(/Reason/).fill('Third link to the same shop');
      await dialog.getByRole('button', { name: 'Suspend user' }).click();
      await click('Record appeal…')(page);
      await page.getByLabel('Text as received').fill('My sister had my telephone that day.');
      await dialog.getByRole('button', { name: 'Record appeal' }).click();
      await page
        .getByRole('link', { name: /^Reports/ })
        .first()
        .click();
      await page.getByRole('link', { name: 'Cases' }).click();
      await click(/^Appeals/)(page);
      await page.getByRole('list', { name: 'Appeals' }).getByRole('button').click();
    },
    shows: heading('Appeal'),
  },
];

const log: ScreenState[] = [
  { name: 'moderation log, none', path: '/reports/log', shows: heading('No entries') },
  {
    name: 'moderation log',
    path: '/reports',
    reach: withReport(async (page) => {
      await key('e')(page);
      await page.evaluate(() => history.pushState(null, '', '/console/reports/log'));
    }),
    shows: (page) => page.getByRole('table', { name: 'Moderation log' }).getByText('Resolve'),
  },
  {
    name: 'moderation log, none matches',
    path: '/reports/log?text=nothing-like-that',
    shows: heading('No matching entries'),
  },
];

const evidence: ScreenState[] = [
  { name: 'evidence, none', path: '/reports/evidence', shows: text(/^No held evidence/) },
];

const rules: ScreenState[] = [
  { name: 'automatic rules', path: '/reports/rules', shows: heading('Threats') },
  {
    name: 'automatic rules, one tested',
    path: '/reports/rules',
    reach: click('Test Threats'),
    shows: text(/ in the last 30 days$/),
  },
  {
    name: 'automatic rules, a new one',
    path: '/reports/rules',
    reach: click('Create rule'),
    shows: (page) => page.getByRole('dialog', { name: 'Create rule' }),
  },
  {
    name: 'automatic rules, a word list',
    path: '/reports/rules',
    reach: (page) => page.getByRole('button', { name: 'Edit Threats' }).last().click(),
    shows: (page) => page.getByRole('dialog', { name: 'Edit word list' }),
  },
];

const backgroundUpdates: ScreenState[] = [
  { name: 'background updates', path: '/tasks/background-updates', shows: text(/^No updates pending/) },
  {
    name: 'background updates, failing',
    path: '/tasks/background-updates',
    server: 'failing',
    shows: heading("Couldn't load background updates"),
  },
  {
    name: 'background updates, at work',
    path: '/tasks/background-updates',
    reach: async (page) => {
      const update = {
        name: 'event_push_backfill_thread_id',
        total_item_count: 1_234_567,
        total_duration_ms: 93_000,
        average_items_per_ms: 13.3,
      };
      await page.route('**/background_updates/status', (route) =>
        route.fulfill({ json: { enabled: true, current_updates: { master: update } } }),
      );
      await page.reload();
    },
    shows: (page) => page.getByRole('article', { name: 'event_push_backfill_thread_id' }),
  },
];

const farServers = [
  {
    destination: 'gone.example',
    retry_last_ts: 1_790_000_000_000,
    retry_interval: 6e8,
    failure_ts: 1_780_000_000_000,
  },
  {
    destination: 'well.example',
    retry_last_ts: 0,
    retry_interval: 0,
    failure_ts: null,
    last_successful_stream_ordering: 12,
  },
  { destination: 'new.example', retry_last_ts: 0, retry_interval: 0, failure_ts: null },
];

/** The bundled server doesn't federate. */
const withFarServers = async (page: Page) => {
  await page.route('**/federation/destinations?**', (route) =>
    route.fulfill({ json: { destinations: farServers, total: 3 } }),
  );
  await page.route('**/federation/destinations/gone.example', (route) =>
    route.fulfill({ json: farServers[0] }),
  );
  await page.reload();
};

const federation: ScreenState[] = [
  {
    name: 'federation',
    path: '/federation',
    unlikeOurs: true,
    reach: withFarServers,
    shows: (page) => page.getByRole('link', { name: 'gone.example' }),
  },
  {
    name: 'federation, one that is not reached',
    path: '/federation/gone.example',
    unlikeOurs: true,
    reach: withFarServers,
    shows: heading('Connection'),
  },
];

const upgrade: ScreenState[] = [
  { name: 'upgrade, nothing to do', path: '/upgrade', shows: heading(/^No upgrade needed/) },
  {
    name: 'upgrade, failing',
    path: '/upgrade',
    server: 'failing',
    shows: (page) => page.getByRole('alert').first(),
  },
  { name: 'upgrade', path: '/upgrade?from=1.98.0', shows: button(/^Version 1 of \d+/) },
  {
    name: 'upgrade, a part ticked off',
    path: '/upgrade?from=1.98.0',
    reach: (page) => page.getByRole('checkbox').first().click(),
    shows: text(/^1 of \d+ done$/),
  },
];

const localServer: ScreenState[] = [
  { name: 'local server', path: '/local-server', shows: heading('Temporary servers') },
  {
    name: 'local server, no bench',
    path: '/local-server',
    server: 'without a bench',
    shows: heading('This server has no developer tools'),
  },
  {
    name: 'local server, a user made',
    path: '/local-server/users',
    reach: click('Create user'),
    shows: text(/shown once:/),
  },
  {
    name: 'local server, a token refused',
    path: '/local-server/jwt',
    reach: click('Expired'),
    shows: (page) => page.getByRole('list', { name: 'Server checks, in order' }),
  },
  {
    name: 'local server, requests',
    path: '/local-server/requests?own=true',
    reach: async (page) => {
      const kept = page.getByRole('switch', { name: 'Record requests' });
      await kept.waitFor();
      if (!(await kept.isChecked())) await kept.click();
      await page.getByText('In memory only, without secrets.').waitFor();
      await page.evaluate(() => fetch('/_matrix/client/versions'));
      await page
        .getByRole('row', { name: /versions/ })
        .first()
        .click();
    },
    shows: button('Copy as curl'),
  },
  {
    name: 'local server, configuration',
    path: '/local-server/configuration',
    reach: async (page) => {
      await page.getByRole('textbox', { name: 'homeserver.yaml' }).click();
      await page.keyboard.type('server_nam: x');
      await key('Escape')(page);
      await page.getByRole('list', { name: 'Problems' }).waitFor();
      await click('Review changes')(page);
    },
    shows: (page) => page.getByRole('table', { name: 'Changes' }),
  },
  { name: 'local server, backups', path: '/local-server/backups', shows: button('Create backup') },
  {
    name: 'local server, failing',
    path: '/local-server/requests',
    server: 'failing',
    shows: heading("The local server didn't respond"),
  },
];

const frame: ScreenState[] = [
  { name: 'settings', path: '/settings', shows: heading('Settings') },
  {
    name: 'settings, a connection customized as production',
    path: '/settings',
    reach: async (page) => {
      await click(/^Customize/)(page);
      await page.getByRole('switch', { name: 'Production' }).check({ force: true });
    },
    shows: (page) => page.getByRole('banner').getByText('Production'),
  },
  {
    name: 'settings, signing out',
    path: '/settings',
    reach: click(/^Sign out of/),
    shows: (page) => page.getByRole('dialog').getByText(/^Signs out /),
  },
  {
    name: 'local server, running',
    path: '/local-server',
    desktop: {
      status: 'running',
      url: 'http://127.0.0.1:8008',
      addresses: ['http://127.0.0.1:8008'],
    },
    shows: text('http://127.0.0.1:8008'),
  },
  {
    name: 'local server, given up',
    path: '/local-server',
    desktop: {
      status: 'failed',
      message: {
        sentence:
          "The local server keeps crashing (exit code {code}) and won't restart automatically. Start it to retry.",
        values: { code: 1 },
      },
    },
    shows: text(/^The local server keeps crashing/),
  },
  {
    name: 'settings, desktop app',
    path: '/settings',
    desktop: { status: 'running', url: 'http://127.0.0.1:8008', addresses: ['http://127.0.0.1:8008'] },
    shows: (page) => page.getByRole('switch', { name: 'Quiet hours' }),
  },
  {
    name: 'settings, local server without its data',
    path: '/settings',
    desktop: {
      status: 'failed',
      message: {
        sentence:
          'The local server stopped because its data was removed ({reason}). Restore the data, or the server starts empty.',
        values: { reason: '/home/ada/.config/Gatehouse/homeserver/homeserver.db was removed or replaced' },
      },
    },
    shows: (page) => page.getByRole('alert'),
  },
  {
    name: 'sign in, desktop app',
    path: '/connect',
    signedOut: true,
    desktop: {
      status: 'running',
      url: 'http://127.0.0.1:8008',
      addresses: ['http://127.0.0.1:8008'],
    },
    shows: button('Open local server'),
  },
  { name: 'no such screen', path: '/nothing-here', shows: heading('Screen not found') },
  { name: 'no such part', path: '/users/nobody/nothing-here', shows: heading('Screen not found') },
  {
    name: 'palette',
    path: '/reports',
    reach: withReport(key('Control+k')),
    shows: (page) => page.getByRole('textbox', { name: 'Search screens and actions' }),
  },
  {
    name: 'palette, a user found',
    path: '/reports',
    reach: withReport(async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Search screens and actions' }).fill('@mallory:localhost');
    }),
    shows: (page) => page.locator('[data-action][data-selected]').getByText('@mallory:localhost'),
  },
  {
    name: 'palette, nothing found',
    path: '/settings',
    reach: async (page) => {
      await heading('Settings')(page).waitFor();
      await key('Control+k')(page);
      await page.getByRole('textbox', { name: 'Search screens and actions' }).fill('nothing like that');
    },
    shows: text('No results'),
  },
  {
    name: 'keys',
    path: '/reports',
    reach: withReport(key('?')),
    shows: (page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next report'),
  },
  {
    name: 'servers',
    path: '/settings',
    reach: click(/^Server:/),
    shows: (page) => page.getByRole('menuitem', { name: /Connect to another server/ }),
  },
];

export const screenStates: ScreenState[] = [
  ...entrance,
  ...home,
  ...filedReports,
  ...policies,
  ...cases,
  ...log,
  ...evidence,
  ...rules,
  ...backgroundUpdates,
  ...federation,
  ...reports,
  ...triage,
  ...users,
  ...rooms,
  ...media,
  ...policyLists,
  ...tokens,
  ...tasks,
  ...upgrade,
  ...localServer,
  ...frame,
];

type Server = { url: string; signIn: (page: Page) => Promise<unknown> };

/** Opens a page for the screen and brings it into the state. */
export async function reachState(page: Page, server: Server, state: ScreenState): Promise<void> {
  if (!state.signedOut) await server.signIn(page);
  // Applies to this page load only: the next state may run in a browser.
  await using _desktop = state.desktop && (await page.addInitScript(standInForShell, state.desktop));
  if (state.server) await interfere(page, state.server);
  await page.goto(`${server.url}/console${state.path}`);
  await state.reach?.(page);
  await state.shows(page).waitFor();
}

async function interfere(page: Page, how: NonNullable<ScreenState['server']>): Promise<void> {
  const answer = {
    failing: { status: 503, json: { errcode: 'M_UNKNOWN', error: 'The database is being restored' } },
    'signed out': { status: 401, json: { errcode: 'M_UNKNOWN_TOKEN', error: 'Unrecognised access token' } },
    'without a bench': { status: 404, json: { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' } },
    silent: undefined,
  }[how];
  await page.route('**/_gatehouse/**', (route) => answer && route.fulfill(answer));
  if (how === 'without a bench') return;
  await page.route('**/_service/admin/**', (route) => answer && route.fulfill(answer));
}

/** Installs a bridge on the page that answers like the desktop shell. It uses the browser's session. */
function standInForShell(localServer: LocalServerState) {
  const [session] = JSON.parse(sessionStorage.getItem('gatehouse.sessions') ?? '[]');
  const channels: Record<string, (input: never) => unknown> = {
    'connections:list': () => (session ? [session.connection] : []),
    'connections:kept': () => 'encrypted',
    'local-server:state': () => localServer,
    'settings:read': () => ({
      notifications: session ? [session.connection.id] : [],
      quiet: { from: '22:00', to: '07:00' },
      badge: false,
      tray: true,
      keepsRunning: true,
      startsAtLogin: false,
    }),
    'wanted:take': () => ({}),
    request: async ({ method, path, body }: { method: string; path: string; body?: unknown }) => {
      const reply = await fetch(session.connection.baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${session.accessToken}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: reply.status, body: await reply.json() };
    },
  };
  window.gatehouse = {
    invoke: async (channel: string, input: unknown) => ({
      ok: true,
      value: await channels[channel]?.(input as never),
    }),
    listen: () => () => {},
  } as typeof window.gatehouse;
}
