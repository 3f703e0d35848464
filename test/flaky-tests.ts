/**
 * Reporter that lists flaky tests: those that failed and then passed. Each has found a race, in itself or in the
 * program.
 */
import type { Reporter, TestModule } from 'vitest/node';

export default class FlakyTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap(({ children }) => [...children.allTests()]);
    const flaky = tests.filter((test) => test.diagnostic()?.flaky);
    if (flaky.length === 0) return;
    process.stdout.write('\nPassed only when repeated:\n');
    for (const test of flaky) {
      process.stdout.write(`  ${test.module.relativeModuleId} > ${test.fullName}\n`);
      for (const { stack, message } of test.result().errors ?? []) {
        process.stdout.write(`${(stack ?? message).replaceAll(/^/gm, '    ')}\n`);
      }
    }
  }
}
