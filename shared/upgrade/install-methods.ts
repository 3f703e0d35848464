/** Commands that stop, install and start a server, by installation method. */
import type { Say } from '../sentence.ts';
import type { InstallMethod } from './choices.ts';
import type { RequirementName } from './requirements.ts';
import { compareVersions, formatVersion, parseVersion, type Version } from './version.ts';

type Commands = {
  stop: string;
  install: (version: Version) => string;
  start: string;
  /** Returns the command of the version's Python. */
  python: (version: Version) => string;
  /** Assumptions of the commands, and further steps. */
  hint: string;
  /** Requirements that the packages or images include. */
  included: readonly RequirementName[];
};

/** From this release on, Synapse requires a compatible version of Jinja itself. */
const jinja = parseVersion('1.55.2');

const methods: Readonly<Record<InstallMethod, Commands>> = {
  debian: {
    stop: "sudo systemctl stop matrix-synapse 'matrix-synapse-worker@*'",
    // Package versions end with the distribution's codename.
    install: (version) =>
      `sudo apt-get update && sudo apt-get install "matrix-synapse-py3=${debianVersion(version)}+$(lsb_release -cs)1"`,
    start: 'sudo systemctl start matrix-synapse',
    python: () => '/opt/venvs/matrix-synapse/bin/python',
    hint: /*i18n*/ 'Requires a package of this version for your distribution: apt-cache madison matrix-synapse-py3 lists them. The package starts the server.',
    included: ['Rust', 'Poetry'],
  },
  docker: {
    stop: 'docker compose stop synapse',
    install: (version) => `docker pull matrixdotorg/synapse:${tagOf(version)}`,
    start: 'docker compose up -d synapse',
    python: (version) => `docker run --rm --entrypoint python3 matrixdotorg/synapse:${tagOf(version)}`,
    hint: /*i18n*/ 'Set the image tag to {tag} in compose.yaml. The service is assumed to be called synapse; stop and start workers with it.',
    included: ['Python', 'SQLite', 'Rust', 'Poetry'],
  },
  pip: {
    stop: 'synctl stop',
    install: (version) =>
      `pip install 'matrix-synapse==${formatVersion(version)}'${
        compareVersions(version, jinja) < 0 ? " 'jinja2<3.1'" : ''
      }`,
    start: 'synctl start',
    python: () => 'python3',
    hint: /*i18n*/ 'Run it in the virtual environment, with the extras that you use, such as matrix-synapse[postgres].',
    included: ['Rust', 'Poetry'],
  },
  ansible: {
    stop: 'ansible-playbook -i inventory/hosts setup.yml --tags=stop',
    install: () => 'ansible-playbook -i inventory/hosts setup.yml --tags=setup-synapse',
    start: 'ansible-playbook -i inventory/hosts setup.yml --tags=start',
    python: (version) => `docker run --rm --entrypoint python3 matrixdotorg/synapse:${tagOf(version)}`,
    hint: /*i18n*/ 'Set matrix_synapse_version to {tag} in vars.yml first. Use the playbook of that time: a newer one may write settings that {tag} refuses.',
    included: ['Python', 'SQLite', 'Rust', 'Poetry'],
  },
};

/** In Debian versions, `~` sorts release candidates before the release: `1.98.0~rc1`. */
const debianVersion = (version: Version) => formatVersion(version).replace('rc', '~rc');
const tagOf = (version: Version) => `v${formatVersion(version)}`;

export const includes = (method: InstallMethod | undefined, name: RequirementName) =>
  method !== undefined && methods[method].included.includes(name);

/** Returns the command of a version's Python. */
export const pythonOf = (method: InstallMethod | undefined, version: Version) =>
  methods[method ?? 'pip'].python(version);

/** Returns the commands of a stop, with a sentence about installing. */
export function commandsOf(method: InstallMethod, version: Version, say: Say) {
  const { stop, install, start, hint } = methods[method];
  return { stop, install: install(version), start, hint: say(hint, { tag: tagOf(version) }) };
}

/** In the order of the list. */
export const methodTitles: Readonly<Record<InstallMethod, string>> = {
  debian: /*i18n*/ 'Debian package',
  docker: /*i18n*/ 'Docker',
  pip: /*i18n*/ 'pip',
  ansible: /*i18n*/ 'Ansible playbook',
};
