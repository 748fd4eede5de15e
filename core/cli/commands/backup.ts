import path from 'node:path';
import { exitCodes } from '../../base/error-codes.ts';
import { writeBackup } from '../../maintenance/backup/write-backup.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../command-context.ts';
import { enterHome } from '../home-places.ts';
import { bytesText } from '../report/bytes-text.ts';

export interface BackupInput {
  /** A file or a folder; the current folder when absent. */
  readonly target?: string;
  readonly logs: boolean;
  readonly format: OutputFormat;
}

/** Writes a home, in use or not, into one archive. */
export async function runBackup(context: CommandContext, input: BackupInput): Promise<number> {
  const { cwd, version, clock, terminal } = context;
  const paths = await enterHome(context);
  const { stderr } = terminal;
  const isShown = stderr.isTty && input.format === 'text';
  const target = path.resolve(cwd, input.target ?? '.');
  try {
    const { file, bytes, manifest } = await writeBackup({
      paths,
      target,
      logs: input.logs,
      version,
      clock,
      ...(isShown ? { onProgress: (done, all) => stderr.pin([`file ${done + 1} of ${all}`]) } : {}),
    });
    const { files, schema, createdAt } = manifest;
    if (input.format === 'json')
      await printJson(context, { file, bytes, files: files.length, logs: input.logs, schema, createdAt });
    else {
      const what = input.logs
        ? 'history, logs, workflows, configuration'
        : 'history, workflows, configuration; no logs';
      stderr.pin([]);
      await printLines(context, [`${file}: ${bytesText(bytes)}, ${files.length} files (${what})`]);
    }
    return exitCodes.success;
  } finally {
    if (isShown) stderr.pin([]);
  }
}
