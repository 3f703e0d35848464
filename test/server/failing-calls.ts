/** Simulates disks that a test can't have: a preloaded library fails some of a server's system calls. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartOptions } from './gatehouse.ts';

const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int fails(const char *call) {
  const char *file = getenv(call);
  return file && access(file, F_OK) == 0;
}

/* Quotas don't apply to pipes and sockets. */
static int over_quota(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && fails("QUOTA_IS_USED_UP");
}

#define QUOTA(name, ...) \\
  if (over_quota(fd)) { errno = EDQUOT; return -1; } \\
  ssize_t (*real)() = (ssize_t (*)())dlsym(RTLD_NEXT, name); \\
  return real(fd, __VA_ARGS__);

ssize_t write(int fd, const void *bytes, size_t count) { QUOTA("write", bytes, count) }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { QUOTA("pwrite", bytes, count, at) }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { QUOTA("pwrite64", bytes, count, at) }

int link(const char *from, const char *to) {
  if (fails("LINKS_FAIL")) { errno = EPERM; return -1; }
  int (*real)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "link");
  return real(from, to);
}

/* Another thread creates a file in a directory that was just emptied. */
int remove(const char *path) {
  if (fails("FILE_COMES_LATE")) {
    char late[4096];
    unlink(getenv("FILE_COMES_LATE"));
    snprintf(late, sizeof late, "%s/late", path);
    close(open(late, O_CREAT | O_WRONLY, 0600));
  }
  int (*real)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "remove");
  return real(path);
}
`;

type FailingCalls = {
  /** Options for the process whose calls should fail. */
  options: StartOptions;
  /** Makes calls fail from now on. */
  fail(): Promise<void>;
  succeed(): Promise<void>;
  remove(): Promise<void>;
};

/**
 * Builds the library.
 *
 * @param kind the fault: no hard links, an exhausted quota, or a file that appears once while a directory is removed
 * @returns undefined if no compiler is available or the system can't load it
 */
export async function makeFailingCalls(
  kind: 'LINKS_FAIL' | 'QUOTA_IS_USED_UP' | 'FILE_COMES_LATE',
): Promise<FailingCalls | undefined> {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/cc')) return undefined;
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-calls-'));
  const [code, library, sign] = ['calls.c', 'calls.so', 'failing'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(code, source);
  execFileSync('/usr/bin/cc', ['-w', '-shared', '-fPIC', '-o', library, code, '-ldl']);
  return {
    options: { env: { ...process.env, LD_PRELOAD: library, [kind]: sign } },
    fail: () => writeFile(sign, ''),
    succeed: () => rm(sign),
    remove: () => rm(directory, { recursive: true }),
  };
}
