import { configTable, type ConfigOf } from './config-table.ts';

/** Kinds of archives. */
export const archiveFormats = ['zip', 'tar', 'tar.gz', 'tar.zst', 'tar.xz', 'tar.bz2'] as const;
export type ArchiveFormat = (typeof archiveFormats)[number];

/** What `command` of an archive step may be. */
export const archiveOperations = ['extract', 'create', 'list'] as const;
export type ArchiveOperation = (typeof archiveOperations)[number];

/** `config` of a step of type `archive`. */
export const archiveTable = configTable({
  source: {
    kind: 'textList',
    description:
      'The archive to extract or list, or the files and folders to pack: one path or a list. Relative paths count from the folder of the step.',
    example: 'build.tar.gz',
    required: true,
  },
  destination: {
    kind: 'text',
    description:
      'The folder to extract into, made when it is missing (default: the folder of the step), or the archive to create.',
    example: 'out',
  },
  format: {
    kind: 'choice',
    values: archiveFormats,
    description:
      'Kind of archive. Default: by its content when one is read, by the name of the destination when one is created.',
  },
  compressionLevel: {
    kind: 'number',
    description:
      'How hard to compress: 0 (not at all, zip and gzip; least, xz and bzip2) to 9, up to 22 for tar.zst; -1 is the usual level. Default: -1.',
  },
  password: {
    kind: 'text',
    description:
      'Password of a zip archive. Read with AES and ZipCrypto, written with AES-256. Keep it in a secret.',
    example: '${ZIP_PASSWORD}',
  },
  overwrite: {
    kind: 'flag',
    description:
      'Whether files that exist, or an archive that exists, are replaced. Default: false, which refuses.',
  },
  preservePaths: {
    kind: 'flag',
    description: 'Whether folders are kept; false puts all files side by side. Default: true.',
  },
  stripComponents: {
    kind: 'number',
    description:
      'How many leading folders are cut off names when extracting; entries with no more are skipped. Default: 0.',
  },
  include: {
    kind: 'textList',
    description:
      'Globs of what is taken; everything when empty. One without a slash means the last part of a name, a folder means all in it.',
    example: ['*.txt'],
  },
  exclude: {
    kind: 'textList',
    description: 'Globs of what is left out, as with include.',
    example: ['node_modules', '*.tmp'],
  },
  dryRun: {
    kind: 'flag',
    description: 'Whether to say only what would be done, and write nothing. Default: false.',
  },
  verbose: {
    kind: 'flag',
    description: 'Whether each name is written to the log (stderr). Default: false.',
  },
  followSymlinks: {
    kind: 'flag',
    description: 'Whether what links lead to is packed in place of the links, when creating. Default: false.',
  },
  verifyIntegrity: {
    kind: 'flag',
    description:
      'Whether the whole archive is read and checked: before anything is extracted, or once created, before it gets its name. Default: false.',
  },
  continueOnError: {
    kind: 'flag',
    description:
      'Whether to go on after an entry that fails; the step is then partially succeeded. Default: false.',
  },
  maxRatio: {
    kind: 'number',
    description:
      'How many times the size of the archive its content may have before it is taken for a bomb; the first 10 MiB are free. Default: 1000.',
  },
  maxEntries: {
    kind: 'number',
    description: 'How many entries an archive that is read may have. Default: 1000000.',
  },
});

/** The evaluated `config` of an archive step. */
export type ArchiveConfig = ConfigOf<typeof archiveTable>;
