/**
 * Maps source paths to the tests that cover them, for `npm run test:quick`. The first matching prefix wins. Tests are
 * paths below `test/`: files without `.test.ts`, or folders.
 */
const areas: readonly (readonly [path: string, tests: string])[] = [
  ['server/platform/cluster/', 'server/processes/ownership server/processes/shared-state'],
  ['server/platform/concurrency/', 'server/core server/http'],
  ['server/identity/login/', 'server/accounts/account'],
  ['server/identity/sessions/', 'server/accounts/acting-as-user server/accounts/ended-meanwhile'],
  ['server/conversation/sliding-sync/', 'server/sync/empty-replies'],
  ['server/administration/testing/', 'server/testing'],
  ['server/app/temporary-server.ts', 'server/testing server/commands/temporary'],
  ['server/app/commands/', 'server/commands'],
  ['server/app/', 'server/endpoints server/project-rules server/abuse server/commands'],
  ['server/', 'server/commands server/endpoints'],

  ['packages/', 'server/testing/package server/testing/examples'],
  ['examples/', 'server/testing/examples server/testing/seed'],

  ['shared/upgrade/', 'shared/upgrade server/commands/plan'],
  ['shared/workbench/', 'server/workbench'],
  ['shared/bridge.ts', 'electron/bridge electron/security-checklist'],
  ['shared/allowed-requests.ts', 'renderer/allowed-requests electron/bridge'],
  ['shared/oauth.ts', 'shared/oauth renderer/browser-sign-in electron/browser-sign-in'],
  ['shared/mas.ts', 'renderer/mas'],
  [
    'shared/team/',
    'shared/team-appeals shared/team-cases shared/team-decisions shared/team-evidence shared/team-policies shared/team-power-levels shared/team-restrictions shared/team-roles shared/team-rules shared/team-scheduled renderer/team-log renderer/scheduled renderer/team-room',
  ],
  ['shared/', 'shared electron/bridge electron/bounded-replies renderer/odd-replies renderer/sign-in'],

  ['electron/connections/', 'electron/bridge electron/certificate electron/browser-sign-in electron/vault'],
  ['electron/homeserver/', 'electron/homeserver-process electron/temporary-server-start electron/back-off'],
  ['electron/launch/', 'electron/launch electron/runtime electron/terminal'],
  ['electron/notifications/', 'electron/desktop electron/overlay electron/report-watch electron/platforms'],
  ['electron/packaging/', 'electron/package electron/workflows'],
  ['electron/updates/', 'electron/updates electron/updates-windows electron/bounded-replies'],
  ['electron/vault/', 'electron/vault electron/vault-file'],
  ['electron/window/', 'electron/app electron/sealed-page electron/window-state electron/protocol'],
  ['electron/', 'electron/app electron/bridge electron/security-checklist electron/quit'],

  ['renderer/actions/basket/', 'renderer/basket renderer/basket-rules'],
  ['renderer/actions/catalogue/', 'renderer/action-outcomes renderer/actions renderer/rules'],
  ['renderer/actions/evidence/', 'renderer/evidence-together renderer/reports-to-hold renderer/cases-screen'],
  ['renderer/actions/scheduled/', 'renderer/scheduled renderer/scheduled-together renderer/rescheduled'],
  ['renderer/actions/tray/', 'renderer/jobs renderer/job-file renderer/undo-stack renderer/take-down'],
  ['renderer/actions/panel/timing.ts', 'renderer/scheduled'],
  [
    'renderer/actions/panel/',
    'renderer/actions-cautions renderer/named-in-panels renderer/templates renderer/typed-name renderer/further-reports',
  ],
  [
    'renderer/actions/jobs/',
    'renderer/jobs renderer/jobs-log renderer/take-down-jobs renderer/actions-late-replies renderer/with-retries',
  ],
  [
    'renderer/actions/',
    'renderer/jobs renderer/actions-late-replies renderer/tasks-of-actions renderer/take-down renderer/undo-stack renderer/reports-after-acting',
  ],
  [
    'renderer/team/',
    'renderer/team-log renderer/policy-words renderer/team-room renderer/note-drafts renderer/oldest-open renderer/team-pages renderer/team renderer/triage renderer/unredacted',
  ],
  ['renderer/api/mas/', 'renderer/mas'],
  [
    'renderer/api/reports/',
    'renderer/exact-reports renderer/gone-reports renderer/report-list renderer/reports renderer/filed-reports renderer/odd-replies',
  ],
  ['renderer/api/policy-lists/', 'renderer/policy-lists renderer/policy-rules renderer/policy-list-files'],
  [
    'renderer/api/',
    'renderer/supported-endpoints renderer/exact-reports renderer/user-list renderer/user-signals renderer/room-changes renderer/purge-history renderer/unredacted renderer/odd-replies renderer/reports',
  ],
  ['renderer/transport/browser-sign-in.ts', 'renderer/browser-sign-in renderer/sign-in'],
  [
    'renderer/transport/',
    'renderer/reachability renderer/shared-sessions renderer/two-consoles renderer/sign-in renderer/stopped-server',
  ],
  [
    'renderer/components/event/',
    'renderer/event-versions renderer/power-levels renderer/event-views renderer/hostile-messages renderer/event-body-mismatch renderer/message-content renderer/sensitive-content',
  ],
  ['renderer/components/media/', 'renderer/media renderer/sensitive-content'],
  ['renderer/components/file/', 'renderer/file-sink renderer/list-export renderer/user-import-rows'],
  ['renderer/components/notices.ts', 'renderer/notices renderer/two-consoles'],
  ['renderer/components/json/', 'renderer/json-rows renderer/subject-pages'],
  ['renderer/components/plot/', 'renderer/day-bins renderer/growth renderer/figures'],
  ['renderer/components/time.ts', 'renderer/relative-times'],
  ['renderer/components/table/', 'renderer/lists renderer/list-rows renderer/focus-in-tables'],
  [
    'renderer/components/',
    'renderer/keyboard renderer/palette renderer/text-hazards renderer/pasted-id renderer/blank-names renderer/endless-names renderer/error-states',
  ],
  [
    'renderer/subjects/conversation/',
    'renderer/conversation-events renderer/conversation-pages renderer/report-context',
  ],
  ['renderer/subjects/media/', 'renderer/media-filter renderer/media'],
  [
    'renderer/subjects/',
    'renderer/user-states renderer/subject-facts renderer/team-facts renderer/subject-pages',
  ],
  ['renderer/words/', 'renderer/beginning renderer/calendar-days shared/messages renderer/words'],
  ['renderer/features/background-updates/', 'renderer/stale-data renderer/odd-replies'],
  ['renderer/features/connect/', 'renderer/credentials renderer/sign-in renderer/browser-sign-in'],
  ['renderer/features/federation/', 'renderer/destinations renderer/list-rows renderer/error-states'],
  [
    'renderer/features/frame/',
    'renderer/external-navigation renderer/keyboard renderer/status-line renderer/palette renderer/palette-ranking renderer/early-keys',
  ],
  [
    'renderer/features/home/',
    'renderer/expiry renderer/figures renderer/growth renderer/administration-screens',
  ],
  [
    'renderer/features/local-server/',
    'renderer/local-bench renderer/own-requests renderer/curl renderer/jwt-failures renderer/configuration-editor',
  ],
  ['renderer/console/', 'renderer/two-consoles renderer/console-routes'],
  [
    'renderer/features/reports/cases/',
    'renderer/case-moves renderer/gather-cases renderer/case-script renderer/team-queues renderer/moderation-screens renderer/cases-screen renderer/case-messages',
  ],
  [
    'renderer/features/reports/desk/',
    'renderer/reports-queues renderer/triage renderer/reports-after-acting',
  ],
  ['renderer/features/reports/evidence/', 'renderer/evidence renderer/reports-to-hold renderer/cases-screen'],
  [
    'renderer/features/reports/policies/',
    'renderer/moderation-screens renderer/policies-page renderer/team-roles',
  ],
  [
    'renderer/features/reports/log/',
    'renderer/moderation-log renderer/moderation-screens renderer/policy-lists',
  ],
  ['renderer/features/reports/rules/', 'renderer/rules renderer/moderation-screens renderer/team-facts'],
  ['renderer/features/reports/list/', 'renderer/report-list renderer/reports'],
  ['renderer/features/reports/filed/', 'renderer/filed-reports renderer/team-facts'],
  ['renderer/features/reports/export/', 'renderer/reports-export'],
  [
    'renderer/features/reports/statistics/',
    'renderer/team-figures renderer/moderation-screens renderer/team-facts renderer/reports-statistics',
  ],
  ['renderer/features/reports/subjects/', 'renderer/reports-subjects'],
  [
    'renderer/features/reports/detail/',
    'renderer/word-difference renderer/moderation-screens renderer/report-context-states renderer/report-context',
  ],
  [
    'renderer/features/reports/',
    'renderer/filter-suggestions renderer/reports renderer/triage renderer/report-list renderer/report-counts',
  ],
  ['renderer/features/media/', 'renderer/count-unused renderer/subject-facts'],
  ['renderer/features/policy-lists/', 'renderer/policy-list-files renderer/policy-rules'],
  [
    'renderer/features/rooms/',
    'renderer/search-filters renderer/list-rows renderer/subject-facts renderer/conversation-pages',
  ],
  [
    'renderer/features/settings/',
    'renderer/protected renderer/team-roles renderer/desktop renderer/kept-locally',
  ],
  ['renderer/features/tasks/', 'renderer/task-words renderer/search-filters'],
  ['renderer/features/tokens/', 'renderer/rules renderer/list-rows'],
  [
    'renderer/features/upgrade/',
    'renderer/plan-sections renderer/requested-versions renderer/administration-screens',
  ],
  ['renderer/features/users/import/', 'renderer/user-import-rows renderer/user-import'],
  [
    'renderer/features/users/look-alikes/',
    'renderer/look-alike-names renderer/user-look-alikes renderer/look-alikes',
  ],
  ['renderer/features/users/create/', 'renderer/user-name renderer/subject-pages'],
  ['renderer/features/users/related/', 'renderer/related-signs renderer/related-accounts'],
  [
    'renderer/features/users/',
    'renderer/search-filters renderer/user-segments renderer/list-rows renderer/subject-facts renderer/subject-pages renderer/mas',
  ],
  ['renderer/', 'renderer/console-routes renderer/kept-locally renderer/keyboard renderer/missing-scripts'],

  ['bundles/', 'renderer/script-size renderer/missing-scripts server/container'],
  ['bin/', 'server/commands'],
];

/** Fallback by name: `renderer/features/home/` is covered by `test/renderer/home.test.ts`. */
const byName = [
  [/^server\/\w+\/([\w-]+)\//, 'server/'],
  [/^renderer\/features\/([\w-]+)\//, 'renderer/'],
  [/^shared\/([\w-]+)\.ts$/, 'shared/'],
] as const;

/**
 * Returns the tests that cover a source file, as paths below `test/` without `.test.ts`.
 *
 * @param exists returns true if the test file or folder exists
 */
export function testsOf(file: string, exists: (test: string) => boolean): string[] {
  const area = areas.find(([path]) => file.startsWith(path));
  const named = byName.flatMap(([pattern, folder]) => {
    const name = pattern.exec(file)?.[1];
    return name !== undefined && exists(folder + name) ? [folder + name] : [];
  });
  const isWide = area !== undefined && /^\w+\/$/.test(area[0]);
  const tests = named.length > 0 && (!area || isWide) ? named : [...named, ...(area?.[1].split(' ') ?? [])];
  return [...new Set(tests)];
}

/** All tests listed in `areas`. */
export const namedTests = areas.flatMap(([, tests]) => tests.split(' '));
