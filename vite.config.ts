import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const project = (name: string, timeout: number) => ({
  extends: false as const,
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout: timeout, hookTimeout: 60_000 },
});

export default defineConfig({
  root: 'renderer',
  base: '/console/',
  plugins: [react()],
  build: { outDir: '../dist/renderer', emptyOutDir: true, target: 'chrome140' },
  test: {
    root: '.',
    projects: [
      project('shared', 10_000),
      project('server', 30_000),
      project('renderer', 60_000),
      project('electron', 60_000),
      project('e2e', 120_000),
    ],
  },
});
