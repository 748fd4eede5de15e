/**
 * Test files that need one operating system. A single platform-specific case is registered under
 * `process.platform` instead.
 */
interface PlatformFiles {
  /** Platforms of these files. */
  readonly platforms: readonly NodeJS.Platform[];
  /** What they use of the system. */
  readonly reason: string;
  /** Paths or globs, relative to the repository root. */
  readonly files: readonly string[];
}

export const PLATFORM_FILES: readonly PlatformFiles[] = [
  {
    platforms: ['linux'],
    reason: 'They look at processes and open descriptors in /proc.',
    files: [
      'test/core/distributed/worker/processes.test.ts',
      'test/core/executors/actions/docker.test.ts',
      'test/core/executors/actions/termination.test.ts',
      'test/core/executors/archive/programs.test.ts',
      'test/core/executors/archive/stop.test.ts',
      'test/core/executors/ssh/commands.test.ts',
      'test/core/executors/ssh/termination.test.ts',
      'test/core/process/process-table.kill-tree.test.ts',
      'test/core/process/local-launcher.test.ts',
      'test/core/process/relay.test.ts',
      'test/core/process/supervisor/supervisor.test.ts',
      'test/core/process/terminal.test.ts',
      'test/integration/bad-input/step-processes.test.ts',
    ],
  },
  {
    platforms: ['linux'],
    reason: 'Hosts are halted, starved and cut off by means of Linux, some of them as root.',
    files: ['test/faults/**'],
  },
];

/** Globs of the test files that cannot run on this system. */
export function listFilesOfOtherPlatforms(platform: NodeJS.Platform = process.platform): string[] {
  return PLATFORM_FILES.filter(({ platforms }) => !platforms.includes(platform)).flatMap(
    ({ files }) => files,
  );
}
