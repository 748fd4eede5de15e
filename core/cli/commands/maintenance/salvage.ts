import { pluralize } from '../../../base/text/pluralize.ts';
import { exitCodes } from '../../../base/error-codes.ts';
import { checkHome } from '../../../maintenance/check-home.ts';
import { salvageHome, type HomeSalvage } from '../../../maintenance/salvage/salvage-home.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../../command-context.ts';
import { confirm } from '../../questions/confirm.ts';
import { prepareHomePaths } from '../../home-locations.ts';
import { formatTable } from '../../report/table.ts';

export interface SalvageInput {
  /** Also if the database is intact. */
  readonly force: boolean;
  readonly yes: boolean;
  readonly format: OutputFormat;
}

/** Recovers the readable contents of a corrupt database into a new one. Does nothing if it is intact. */
export async function runSalvage(context: CommandContext, input: SalvageInput): Promise<number> {
  const { clock, terminal } = context;
  const paths = await prepareHomePaths(context);
  const { database, findings } = checkHome(paths);
  if (findings.length === 0 && !input.force) {
    if (input.format === 'json') await printJson(context, { database, isSound: true });
    else await printLines(context, [`No damage found in ${database}. Nothing was changed.`]);
    return exitCodes.success;
  }
  const question = `Salvage the readable data of ${database} and keep a copy of the damaged file`;
  const advice = 'Add --yes to confirm. To check without changes, run "engine check".';
  if (!input.yes && !(await confirm(context, question, advice))) {
    await terminal.stderr.write('Nothing was changed.\n');
    return exitCodes.success;
  }
  const report = await salvageHome(paths, clock);
  if (input.format === 'json') await printJson(context, { database, ...report });
  else await printLines(context, describe(report));
  return exitCodes.success;
}

function describe(report: HomeSalvage): string[] {
  const damaged = report.tables.filter(({ isDamaged }) => isDamaged);
  const rows = damaged.map(({ table, rows: saved, expected }) => [
    table,
    String(saved),
    expected === undefined ? 'unknown' : String(Math.max(0, expected - saved)),
  ]);
  return [
    `${pluralize(report.runs, 'run')} recovered`,
    ...(damaged.length === 0
      ? ['All rows were readable.']
      : formatTable(['DAMAGED', 'SAVED', 'LOST'], rows, [])),
    ...(report.rowsDropped === 0
      ? []
      : [`Rows dropped because their parent row is lost: ${report.rowsDropped}`]),
    ...(report.textsLost + report.textsDamaged === 0
      ? []
      : [`Workflow sources lost: ${report.textsLost}, damaged but kept: ${report.textsDamaged}`]),
    ...(report.runsEnded === 0
      ? []
      : [`Runs active before the damage, now marked as aborted: ${report.runsEnded}`]),
    `The damaged files are kept in ${report.kept}.`,
  ];
}
