import { configTable, type ConfigOf } from './executor-config.ts';

/** Kinds of archives. */
export const archiveFormats = ['zip', 'tar', 'tar.gz', 'tar.zst', 'tar.xz', 'tar.bz2'] as const;
export type ArchiveFormat = (typeof archiveFormats)[number];

/** Values of `command` for an archive step. */
export const archiveOperations = ['extract', 'create', 'list'] as const;
export type ArchiveOperation = (typeof archiveOperations)[number];

/** `config` of a step of type `archive`. */
export const archiveTable = configTable({
  source: {
    kind: 'textList',
    description: 'Archive to extract or list, or files and folders to pack.',
    example: 'build.tar.gz',
    required: true,
  },
  destination: {
    kind: 'text',
    description: 'Folder to extract into (default: working directory), or archive to create.',
    example: 'out',
  },
  format: {
    kind: 'choice',
    values: archiveFormats,
    description: 'Archive format. Default: detected from the content or the destination name.',
  },
  compressionLevel: {
    kind: 'number',
    description: 'Compression level: 0 to 9 (tar.zst: 22). Default: -1 (standard).',
    isAdvanced: true,
  },
  password: {
    kind: 'text',
    description: 'Password of a zip archive. Use a reference to a secret.',
    example: '${ZIP_PASSWORD}',
    isAdvanced: true,
  },
  overwrite: {
    kind: 'flag',
    description: 'Overwrite existing files. Default: false (fails).',
  },
  preservePaths: {
    kind: 'flag',
    description: 'Keep the folder structure. Default: true.',
    isAdvanced: true,
  },
  stripComponents: {
    kind: 'number',
    description: 'Leading folders to remove when extracting. Default: 0.',
    isAdvanced: true,
  },
  include: {
    kind: 'textList',
    description: 'Glob patterns to include. Default: everything.',
    example: ['*.txt'],
  },
  exclude: {
    kind: 'textList',
    description: 'Glob patterns to exclude.',
    example: ['node_modules', '*.tmp'],
  },
  dryRun: {
    kind: 'flag',
    description: 'Show what would be done without writing. Default: false.',
    isAdvanced: true,
  },
  verbose: {
    kind: 'flag',
    description: 'Log each file name to stderr. Default: false.',
    isAdvanced: true,
  },
  followSymlinks: {
    kind: 'flag',
    description: 'Pack link targets instead of symbolic links. Default: false.',
    isAdvanced: true,
  },
  verifyIntegrity: {
    kind: 'flag',
    description: 'Verify the archive before extracting or after creating. Default: false.',
    isAdvanced: true,
  },
  continueOnError: {
    kind: 'flag',
    description: 'Continue after failed entries, with partial success. Default: false.',
    isAdvanced: true,
  },
  maxRatio: {
    kind: 'number',
    description: 'Maximum compression ratio, against zip bombs. Default: 1000.',
    isAdvanced: true,
  },
  maxEntries: {
    kind: 'number',
    description: 'Maximum entries in an archive. Default: 1000000.',
    isAdvanced: true,
  },
});

/** The evaluated `config` of an archive step. */
export type ArchiveConfig = ConfigOf<typeof archiveTable>;
