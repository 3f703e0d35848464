import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DialectName } from '../../../shared/dialect.ts';
import { inEnglish } from '../../../shared/sentence.ts';
import { changes } from '../../../shared/upgrade/changes/changes.ts';
import { ConfigurationFileError } from '../../../shared/upgrade/configuration.ts';
import { fileOfPlaces, findPlaces } from '../../../shared/upgrade/found-places.ts';
import { planAsMarkdown } from '../../../shared/upgrade/markdown.ts';
import { planUpgrade } from '../../../shared/upgrade/plan.ts';
import { readConfiguration } from '../../../shared/upgrade/read-configuration.ts';
import { defaultRules, settingQuery } from '../../../shared/upgrade/rules/configuration-rules.ts';

type Files = Record<string, string>;

/**
 * Plans an upgrade. Checks that the extracted values alone, as a worker sends them, give the same plan as the files.
 */
function plan(files: Files, from = '1.30.0', to = '1.161.0', dialect: DialectName = 'vendor') {
  const read = Object.entries(files).map(([name, text]) => readConfiguration(name, text));
  const found = read.map((file) => fileOfPlaces(file.name, structuredClone(findPlaces(file, settingQuery))));
  const planned = planUpgrade({ from, to, dialect, configuration: read });
  expect(planUpgrade({ from, to, dialect, configuration: found })).toEqual(planned);
  return planned;
}

/** Returns the required changes: location, setting, note. */
const required = (files: Files, from?: string, to?: string) =>
  plan(files, from, to).config.map(
    ({ file, line, column, setting, note }) => `${file}:${line}:${column} ${setting} ${note}`,
  );
const hints = (files: Files, from?: string, to?: string) =>
  plan(files, from, to).config_hints.map(({ line, setting, note }) => `${line} ${setting} ${note}`);

test.each<[string, string, string[]]>([
  ['a template_dir', 'email:\n  template_dir: /t', ['2:3 email.template_dir 1.41.0/template-dir']],
  [
    'a webclient listener',
    'listeners:\n  - port: 8008\n    type: http\n  - port: 80\n    type: webclient',
    ['5:5 listeners[1].type 1.53.0/webclient-listeners'],
  ],
  [
    "a web client that isn't a URL",
    'web_client_location: /www',
    ['1:1 web_client_location 1.53.0/webclient-listeners'],
  ],
  ['a web client at an address', 'web_client_location: https://chat.example.org', []],
  [
    'the old cache lifetime',
    'caches:\n  expiry_time: 30m',
    ['2:3 caches.expiry_time 1.53.0/cache-expiry-time'],
  ],
  ['old logging', 'structured: true\ndrains: {}', ['1:1 structured 1.54.0/structured-logging']],
  ['new logging', 'structured: false', []],
  ['open registration', 'enable_registration: true', ['1:1 enable_registration 1.56.0/open-registration']],
  [
    'open registration, as YAML 1.1 has it',
    'enable_registration: yes',
    ['1:1 enable_registration 1.56.0/open-registration'],
  ],
  [
    'open registration that is meant',
    'enable_registration: true\nenable_registration_without_verification: true',
    [],
  ],
  ['registration with tokens', 'enable_registration: true\nregistration_requires_token: true', []],
  ['registration with email', 'enable_registration: true\nregistrations_require_3pid: [email]', []],
  ['closed registration', 'enable_registration: no', []],
  [
    'a worker for application services',
    'worker_app: synapse.app.appservice',
    ['1:1 worker_app 1.59.0/dedicated-worker-types'],
  ],
  ['a generic worker', 'worker_app: synapse.app.generic_worker', []],
  ['the old switch', 'notify_appservices: false', ['1:1 notify_appservices 1.59.0/dedicated-worker-types']],
  ['the old switch in its default', 'update_user_directory: true', []],
  [
    'both switches',
    'update_user_directory: true\nupdate_user_directory_from_worker: w1',
    ['1:1 update_user_directory 1.59.0/dedicated-worker-types'],
  ],
  ['groups', 'enable_group_creation: true', ['1:1 enable_group_creation 1.61.0/groups']],
  [
    'email verified elsewhere',
    'account_threepid_delegates:\n  msisdn: https://x\n  email: https://x',
    ['3:3 account_threepid_delegates.email 1.66.0/email-delegation'],
  ],
  ['email not verified elsewhere', 'account_threepid_delegates: {email: , msisdn: https://x}', []],
  [
    'TCP replication',
    'listeners:\n  - {port: 9092, type: replication}\n  - {port: 9093, type: http, resources: [{names: [replication]}]}',
    ['2:18 listeners[0].type 1.67.0/tcp-replication'],
  ],
  ['legacy metrics', 'enable_legacy_metrics: false', ['1:1 enable_legacy_metrics 1.73.0/legacy-metrics']],
  [
    'replication settings',
    'worker_app: synapse.app.generic_worker\nworker_replication_host: h\nworker_replication_http_port: 9093\nworker_replication_http_tls: true\nworker_replication_secret: s',
    [
      '2:1 worker_replication_host 1.88.0/worker-replication-settings',
      '3:1 worker_replication_http_port 1.88.0/worker-replication-settings',
      '4:1 worker_replication_http_tls 1.88.0/worker-replication-settings',
    ],
  ],
  [
    'workers without the main process',
    'instance_map:\n  w1: {host: h, port: 1}',
    ['1:1 instance_map 1.88.0/worker-replication-settings'],
  ],
  ['workers with it', 'instance_map:\n  main: {host: h, port: 1}', []],
  [
    'experiments that are over',
    'experimental_features:\n  msc3886_endpoint: https://x\n  msc3861: {enabled: true}\n  msc2697_enabled: true\n  msc2666_enabled: true',
    [
      '3:3 experimental_features.msc3861 1.157.0/msc3861',
      '2:3 experimental_features.msc3886_endpoint 1.120.0/msc3886-endpoint',
      '4:3 experimental_features.msc2697_enabled 1.146.0/dehydrated-devices',
    ],
  ],
  [
    'merged settings',
    'base: &base\n  expiry_time: 1h\ncaches:\n  <<: *base',
    ['2:3 caches.expiry_time 1.53.0/cache-expiry-time'],
  ],
  ['an alias', 'one: &one {template_dir: /t}\nsso: *one', ['1:12 sso.template_dir 1.41.0/template-dir']],
  ['nothing', '', []],
  ['only comments', '# worker_replication_host: h\n', []],
])('%s', (_, text, found) => {
  expect(required({ f: text })).toEqual(found.map((finding) => `f:${finding}`));
});

test('findings are sorted by severity, then file and line, with the replacement', () => {
  const files = {
    'homeserver.yaml': 'server_name: x\nredis: {enabled: true}\ninstance_map: {w1: {host: h, port: 1}}\n',
    'w1.yaml': 'worker_replication_host: h\nworker_app: synapse.app.user_dir\n',
  };
  const { config } = plan(files);
  expect(config.map(({ file, line, instead }) => [file, line, instead])).toEqual([
    ['w1.yaml', 1, expect.stringMatching(/^Remove it, and add main to instance_map in homeserver\.yaml/)],
    [
      'w1.yaml',
      2,
      'Use synapse.app.generic_worker instead of synapse.app.user_dir, and add the worker to update_user_directory_from_worker in homeserver.yaml.',
    ],
    ['homeserver.yaml', 3, 'Add main to it, with host, port and optionally tls.'],
  ]);
  expect(config.map(({ severity }) => severity)).toEqual(['refuses to start', 'refuses to start', 'removed']);
});

test('workers without Redis, and without an instance_map', () => {
  const files = { h: 'server_name: x', w: 'worker_app: synapse.app.generic_worker' };
  expect(required(files)).toEqual([
    'w:1:1 worker_app 1.88.0/worker-replication-settings',
    'w:1:1 worker_app 1.67.0/tcp-replication',
  ]);
  expect(required({ ...files, h: 'server_name: x\nredis: {enabled: off}' }, '1.66.0', '1.67.0')).toEqual([
    'h:2:9 redis.enabled 1.67.0/tcp-replication',
  ]);
  // A server already running with workers has Redis; its file may not be among these.
  expect(required(files, '1.98.0')).toEqual([]);
});

test('a setting is deprecated until the release that removes it', () => {
  const files = { w: 'worker_replication_host: h' };
  expect(required(files, '1.80.0', '1.83.0')).toEqual([]);
  expect(required(files, '1.80.0', '1.85.0')).toEqual([
    'w:1:1 worker_replication_host 1.84.0/worker-replication-settings',
  ]);
  expect(required(files, '1.80.0', '1.88.0')).toEqual([
    'w:1:1 worker_replication_host 1.88.0/worker-replication-settings',
  ]);
});

test('overdue changes are marked', () => {
  const files = { h: 'structured: true\nexperimental_features: {msc3861: {}}' };
  expect(plan(files, '1.98.0').config.map(({ line, overdue }) => [line, overdue])).toEqual([
    [1, true],
    [2, false],
  ]);
  expect(plan(files, '1.161.0').config.map(({ line, overdue }) => [line, overdue])).toEqual([
    [1, true],
    [2, true],
  ]);
  expect(plan(files, '1.98.0', '1.97.0').config).toEqual([]);
});

test('hints say which notes and new defaults concern this server', () => {
  const h = [
    'server_name: x',
    'database: {name: psycopg2}',
    'app_service_config_files: [a.yaml]',
    'media_storage_providers:',
    '  - module: s3_storage_provider.S3StorageProviderBackend',
    'enable_metrics: true',
    'modules: [{module: m}]',
    'external_authentication_service: {enabled: true}',
  ].join('\n');
  expect(hints({ h }, '1.118.0')).toEqual([
    '7 modules 1.135.0/on-user-registration',
    'null enable_authenticated_media 1.120.0/authenticated-media',
    'null room_list_publication_rules 1.126.0/room-list-publication',
    '2 database.name 1.143.0/postgresql',
    '3 app_service_config_files 1.139.0/appservice-inhibit-login',
    '5 media_storage_providers[0].module 1.140.0/s3-storage-provider',
    '6 enable_metrics 1.136.0/metric-labels',
    '7 modules 1.136.0/run-as-background-process',
    '7 modules 1.150.0/set-displayname-deactivation',
  ]);
  expect(hints({ h: 'server_name: x\nenable_authenticated_media: false' }, '1.119.0', '1.120.0')).toEqual([]);
  expect(hints({ h }, '1.161.0')).toEqual([]);
});

test('deprecated settings that have to stay, and explicit defaults, are suggestions', () => {
  const suggested = (h: string) => {
    const { config, config_hints } = plan({ h }, '1.143.0');
    expect(config).toEqual([]);
    return config_hints.map(({ line, note, severity, instead }) => [line, note, severity, instead]);
  };
  expect(
    suggested(
      'matrix_rtc:\n  transports:\n    - type: livekit\n      livekit_service_url: https://x\n    - {livekit_service_url: https://x, url: wss://x}',
    ),
  ).toEqual([
    [
      4,
      '1.161.0/call-transport-service-url',
      'deprecated',
      expect.stringMatching(/^Keep it for older clients/),
    ],
  ]);
  expect(suggested('experimental_features: {msc2666_enabled: false}')).toEqual([
    [1, '1.144.0/mutual-rooms', 'hint', expect.stringMatching(/^The endpoint stays off/)],
  ]);
  expect(suggested('experimental_features: {msc2666_enabled: true}')).toEqual([]);
});

/** Settings that a change introduces; if they're set, the change is done. */
const answers = [
  'caches.expire_caches',
  'caches.cache_entry_ttl',
  'enable_registration_without_verification',
  'external_authentication_service',
  'external_authentication_service.enabled',
  'external_authentication_service.endpoint',
  'external_authentication_service.secret',
  'instance_map.main',
  'matrix_rtc.transports[].url',
  'notify_appservices_from_worker',
  'stream_writers.quarantined_media_changes',
  'templates.custom_template_directory',
  'update_user_directory_from_worker',
];
/** The values that a change applies to, if it doesn't apply to any value. */
const values: Record<string, string> = {
  'database.allow_unsafe_locale': 'true',
  'experimental_features.msc2666_enabled': 'false',
  enable_registration: 'true',
  'listeners[].type': 'webclient',
  web_client_location: '/www',
  notify_appservices: 'false',
  'redis.enabled': 'false\nworker_app: w',
  structured: 'true',
  update_user_directory: 'false',
  worker_app: 'synapse.app.appservice',
  'media_storage_providers[].module': 's3_storage_provider.S3StorageProviderBackend',
};

test('every setting in the table of releases is found', () => {
  for (const { note } of changes) {
    const settings = note.settings.filter((setting) => !answers.includes(setting));
    for (const setting of settings) {
      const yaml = setting
        .split('.')
        .reduceRight(
          (value, key) => (key.endsWith('[]') ? `{${key.slice(0, -2)}: [${value}]}` : `{${key}: ${value}}`),
          values[setting]?.split('\n')[0] ?? 'x',
        );
      const more = values[setting]?.split('\n')[1] ?? '';
      const isDefault = defaultRules.some((rule) => rule.setting === setting);
      const { config, config_hints } = plan({
        f: yaml,
        worker: more,
        main: isDefault ? 'server_name: x' : '',
      });
      const [major, minor] = note.release.split('.').map(Number);
      const crossing = plan({ f: yaml, worker: more }, `${major}.${(minor ?? 0) - 1}.0`, note.release);
      const found = [...config, ...config_hints, ...crossing.config, ...crossing.config_hints];
      // A changed default affects only servers that haven't set it.
      if (!isDefault)
        expect(
          found.map((each) => each.setting.replace(/\[\d+\]/g, '[]')),
          note.id,
        ).toContain(setting);
    }
  }
});

test("settings unknown to any release are listed, and misplaced values aren't quoted", () => {
  const { config_unknown } = plan({
    h: 'server_name: x\nenable_registraton: true\nx-anchors: {}\n"hunter2 S3CRET": 1\nreport_stats: no\n',
    w: 'worker_app: synapse.app.generic_worker\nworker_nmae: w\n',
  });
  expect(config_unknown).toEqual([
    { file: 'h', line: 2, column: 1, setting: 'enable_registraton' },
    { file: 'h', line: 4, column: 1, setting: null },
    { file: 'w', line: 2, column: 1, setting: 'worker_nmae' },
  ]);
});

test('replacements use the dialect', () => {
  const configuration = [readConfiguration('h', 'experimental_features: {msc3861: {}}')];
  const { config } = planUpgrade({ from: '1.135.0', dialect: 'matrix', configuration });
  expect(config[0]?.instead).toContain('matrix_authentication_service');
});

const secret = 'hunter2-S3CRET';
const secretive = `
server_name: ${secret}
registration_shared_secret: ${secret}
macaroon_secret_key: "${secret}"
listeners: [{port: 1, type: webclient, secret: ${secret}}, {type: ${secret}}]
web_client_location: ${secret}
database: {name: psycopg2, args: {password: ${secret}}}
account_threepid_delegates: {email: "https://${secret}@x"}
experimental_features: {msc3861: {enabled: true, client_secret: ${secret}}, msc3886_endpoint: ${secret}}
email: {template_dir: ${secret}, smtp_pass: ${secret}}
worker_replication_host: ${secret}
worker_app: ${secret}
instance_map: {${secret}: {host: ${secret}}}
matrix_rtc: {transports: [{livekit_service_url: ${secret}}]}
app_service_config_files: [${secret}]
modules: [{module: ${secret}, config: {${secret}: ${secret}}}]
${secret}: ${secret}
`;

test('no value of a file is in the plan', () => {
  const planned = plan({ h: secretive });
  expect(planned.config.length).toBeGreaterThan(5);
  expect(planned.config_hints.length).toBeGreaterThan(5);
  expect(JSON.stringify(planned)).not.toContain(secret);
  expect(planAsMarkdown(planned)).not.toContain(secret);
});

test.each([
  ['a tab for indentation', `a:\n\t${secret}: 1`, 'f, line 2, column 1: invalid YAML: indent with spaces'],
  ['an open quote', `a: 1\nb: "${secret}\n`, 'f, line 3, column 1: invalid YAML: missing quote'],
  [
    'an open bracket, with any text below it',
    `a: 1\nb: 2\nc: [${secret}, 1\nd:\n  - 1\n`,
    'f, line 3, column 4: invalid YAML: unclosed list bracket or map brace',
  ],
  ['an open brace', `a:\n  - {b: [${secret}]\n  - 1\n`, 'f, line 2, column 5: invalid YAML: unclosed'],
  ['an open bracket at the end', `a: [[${secret}]`, 'f, line 1, column 4: invalid YAML: unclosed'],
  ['an alias without an anchor', `a: *${secret}`, 'f, line 1, column 4: invalid YAML: alias'],
  [
    'two documents',
    `a: ${secret}\n---\nb: 1`,
    'f, line 2, column 1: invalid YAML: only one document allowed',
  ],
  [
    'a line of a list with too little indentation',
    `a:\n  - b: 1\n   c: ${secret}\n`,
    'f, line 3, column 1: invalid YAML: wrong indentation',
  ],
  ['an image', `PNG\0${secret}`, 'f: not a text file'],
  ['a text', secret, 'f: no settings'],
  ['a list', `- ${secret}`, 'f: no settings'],
  ['far too much', `a: ${secret.repeat(200_000)}`, 'f: too large (over 2 MB)'],
  ['nesting without end', '['.repeat(50_000), 'f'],
])('%s is refused without being quoted', (_, text, message) => {
  let error: unknown;
  try {
    readConfiguration('f', text);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ConfigurationFileError);
  expect(String(error)).toContain(message);
  expect(String(error)).not.toContain(secret);
});

test('a self-merging map and nested aliases terminate', () => {
  const bomb = [
    'a0: &a0 {template_dir: x}',
    ...Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} {<<: [*a${i}, *a${i}]}`),
    'email: *a30',
  ];
  expect(required({ f: bomb.join('\n') })).toEqual(['f:1:10 email.template_dir 1.41.0/template-dir']);
  expect(required({ f: 'caches: &c {<<: *c}' })).toEqual([]);
});

test('a file full of aliases is refused before it is checked', () => {
  // Used to read the file for each alias: 60 KB took minutes.
  const listeners = `a: &a {type: webclient}\nlisteners: [${'*a,'.repeat(20_000)}]`;
  expect(() => required({ f: listeners })).toThrow('f: more than 1000 aliases (*name)');
  expect(required({ f: `a: &a {type: webclient}\na2: &a {type: http}\nlisteners: [*a]` })).toEqual([]);
});

test('any text is read or refused', () => {
  const yamlish = fc.string({ unit: fc.constantFrom(...'ab: -[]{}&*!|>\'"#%@`,?\n\t<~') });
  fc.assert(
    fc.property(fc.oneof(yamlish, fc.string({ unit: 'binary' })), (text) => {
      try {
        const configuration = [readConfiguration('f', text)];
        planUpgrade({ from: '1.30.0', dialect: 'vendor', configuration });
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigurationFileError);
      }
    }),
  );
});

const caveats = (text: string) => readConfiguration('f', text).caveats.map(inEnglish);

test.each([
  ['at the top', `a: 1\nb: ${secret}\na: ${secret}\n`, 'f: a is set on lines 1 and 3. Line 3 applies.'],
  [
    'deep inside',
    `a:\n  - b: 1\n    c: {d: ${secret}, e: 2,\n        d: 3}\n`,
    'f: d is set on lines 3 and 4. Line 4 applies.',
  ],
  [
    'that may be a secret',
    `${secret}-: 1\n${secret}-: 2\n`,
    'f: lines 1 and 2 have the same key. Line 2 applies.',
  ],
])('a key that is set twice %s is a caveat that quotes no value', (_, text, sentence) => {
  expect(caveats(text)).toEqual([sentence]);
});

test('the last of a repeated key counts', () => {
  const text = 'enable_registration: true\nenable_registration: false\n';
  expect(required({ f: text })).toEqual([]);
  expect(plan({ f: text }).warnings).toContain(
    'f: enable_registration is set on lines 1 and 2. Line 2 applies.',
  );
});

test("includes aren't followed, and the file to add is named", () => {
  expect(caveats('a: 1\nredis: !include redis.yaml\nlisteners: !include [x]\n')).toEqual([
    "f, line 2: !include isn't followed. Add redis.yaml.",
    "f, line 3: !include isn't followed. Add the file.",
  ]);
});

const sourced = (text: string, from = '1.98.0', to = '1.161.0') => {
  const { config, config_hints, config_unknown } = plan({ f: text }, from, to, 'matrix');
  expect(config_unknown).toEqual([]);
  return [...config, ...config_hints]
    .filter(({ source }) => source !== undefined)
    .map(({ line, setting, severity, note }) => `${line} ${setting} ${severity} ${note}`);
};

test.each([
  ['1.156.0', '1.157.0', 'experimental_features:\n', 1],
  ['1.156.0', '1.157.1', 'experimental_features:\n', 0],
  ['1.156.0', '1.157.0', 'experimental_features: {msc2666_enabled: true}\n', 0],
])('from %s to %s with %j the empty section prevents startup %i times', (from, to, text, count) => {
  expect(sourced(text, from, to)).toHaveLength(count);
});

test('empty settings that a release refuses are found', () => {
  expect(sourced('federation:\nrc_login: ~\nlisteners: []\npresence:\n')).toEqual([
    '1 federation refuses to start 1.160.0/empty-settings',
    '2 rc_login refuses to start 1.160.0/empty-settings',
  ]);
  expect(sourced('federation:\n', '1.98.0', '1.149.1')).toEqual([]);
});

test('settings of older releases are recognized', () => {
  const text =
    'acme: {enabled: true}\ncaptcha_bypass_secret: x\nuse_presence: true\ntrust_identity_server_for_password_resets: true\n';
  expect(sourced(text)).toEqual([
    '4 trust_identity_server_for_password_resets refuses to start 1.48.0/trust_identity_server_for_password_resets',
    '1 acme removed 1.37.0/acme',
    '2 captcha_bypass_secret removed 1.13.0/captcha_bypass_secret',
    '3 use_presence deprecated 1.32.0/use_presence',
  ]);
});

test("templates aren't filled in, except the server's own", () => {
  const text = [
    'server_name: "{{ name }}"',
    'port: {{ port }}',
    'oidc_providers:',
    '  - user_mapping_provider: {config: {localpart_template: "{{ user.sub }}"}}',
  ].join('\n');
  expect(caveats(text)).toEqual([
    "f, line 1: the template ({{ }}) isn't filled in. Add the rendered file.",
    "f, line 2: the template ({{ }}) isn't filled in. Add the rendered file.",
  ]);
  expect(() => caveats('a: 1\n{% if x %}\nb: 2\n')).toThrow(
    'f, line 2, column 2: a template, not filled in; add the rendered file',
  );
});

test("merged maps, and one name in several maps, aren't repetitions", () => {
  const text = 'x-a: &a {b: 1}\nx-c: &c {b: 2}\nd:\n  <<: *a\n  <<: *c\n  b: 3\ne: {b: 1}\n';
  expect(caveats(text)).toEqual([]);
});
