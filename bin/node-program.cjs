// Finds a Node that can run the server, for programs on an older Node.
const { spawnSync } = require('node:child_process');
const { existsSync, mkdtempSync, renameSync, rmSync } = require('node:fs');
const { dirname, join } = require('node:path');

const isWindows = process.platform === 'win32';
const isMac = process.platform === 'darwin';
const runtime = join(__dirname, '../runtime');
/** Name of the npm package with Node's binary for this system. */
const systemPackage = `node-${isMac && process.arch === 'arm64' ? 'bin-' : ''}${isWindows ? 'win' : process.platform}-${process.arch}`;
const program = (folder) => join(folder, 'bin', isWindows ? 'node.exe' : 'node');

/** Returns the path of Node: the checkout's dependency, or the one that the npm package installs. */
exports.nodeProgram = () => {
  try {
    const file = require.resolve('node/package.json');
    // The project that depends on this package may have another version.
    if (Number.parseInt(require(file).version, 10) >= 24) return program(dirname(file));
  } catch {}
  return exports.installNode();
};

/**
 * Installs Node next to the package. As a dependency, it would replace Node in the `npm run` scripts of projects that
 * depend on this package.
 */
exports.installNode = () => {
  const installed = program(join(runtime, 'node_modules', systemPackage));
  if (existsSync(installed)) return installed;
  const { node = '24' } = require('../package.json').gatehouse ?? {};
  process.stderr.write(
    `gatehouse: installing Node ${node} for the server, because this is ${process.version}\n`,
  );
  // Several processes may install it at once.
  const own = mkdtempSync(`${runtime}-`);
  const { status, stderr, error } = spawnSync(
    isWindows ? 'npm.cmd' : 'npm',
    [
      ...['install', '--prefix', own, '--no-save', '--no-package-lock', '--no-audit', '--no-fund'],
      // Not every version is published for every system.
      `${systemPackage}@${isMac ? node.split('.')[0] : node}`,
    ],
    {
      encoding: 'utf8',
      shell: isWindows,
      env: { ...process.env, npm_config_global: 'false', npm_config_dry_run: 'false' },
    },
  );
  try {
    if (status === 0) renameSync(own, runtime);
  } catch {
    // Another process was faster.
  }
  rmSync(own, { recursive: true, force: true });
  if (existsSync(installed)) return installed;
  throw new Error(
    `Gatehouse needs Node 24, and this is ${process.version}. Installing it failed; update Node instead. ${error?.message ?? stderr}`.trim(),
  );
};

if (require.main === module && Number.parseInt(process.versions.node, 10) < 24) {
  try {
    exports.installNode();
  } catch (error) {
    // The first start retries.
    process.stderr.write(`gatehouse: ${error.message}\n`);
  }
}
