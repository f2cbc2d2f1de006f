import { defineConfig } from 'vitest/config'

/**
 * `unit` needs nothing but this repository; `integration` starts real Postgres, NATS, child processes and services;
 * `browser` drives Chromium. A file that ends in `.integration.test.ts` is of the second kind wherever it stands.
 */
const REAL = ['**/*.integration.test.ts', 'test/{contract,flows,faults}/**/*.test.ts']
const BROWSER = ['test/browser/**/*.test.ts']
const NEVER = ['**/node_modules/**', '**/dist/**', '.tools/**', '.althing/**']

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{libs,services,migrations,tools}/**/*.test.{ts,tsx}',
            'test/architecture/**/*.test.ts',
            'test/*.test.ts',
          ],
          exclude: [...NEVER, ...REAL],
          testTimeout: 10_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: REAL,
          exclude: NEVER,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: BROWSER,
          exclude: NEVER,
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
