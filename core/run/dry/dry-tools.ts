import { messageOf } from '../../base/errors.ts';
import type { Secret } from '../../model/settings.ts';
import type { SecretContext } from '../../secrets/provider.ts';
import { resolveSecrets } from '../../secrets/resolve-secrets.ts';
import { expandVariables } from '../../spec/expand/expand.ts';
import {
  readDotenv,
  readSecretFiles,
  type DotenvFile,
  type DotenvPaths,
  type SecretFilePaths,
} from '../values/dotenv.ts';
import type { ScopeTools } from '../values/open-scope.ts';
import { directoryExists } from '../values/working-dir.ts';
import { drySources, type DrySourceInput } from './dry-sources.ts';
import type { FindingList } from './finding-list.ts';
import { hasUnknown, markUnknown, stripUnknownMarks } from './unknown-text.ts';

/** Names that were looked up while values were resolved. */
export interface LookupResults {
  dotenv: DotenvFile | undefined;
  /** Names of secrets that have a value. */
  readonly secrets: Set<string>;
}

/** Returns tools that change nothing: they check directories, and read files and secrets. Errors become findings. */
export function dryTools(input: DrySourceInput, lookups: LookupResults): ScopeTools {
  const { findings } = input;
  return {
    sources: (system, cwd) => drySources(input, system, cwd),
    ensureFolder: (folder) => checkFolder(folder, findings),
    readDotenv(sourcePaths) {
      lookups.dotenv = readKnownDotenv(sourcePaths, findings);
      return lookups.dotenv;
    },
    readSecretFiles: (sourcePaths) => readKnownSecretFiles(sourcePaths, findings),
    async resolveSecrets(secrets, secretFacts) {
      const values: Record<string, string> = {};
      for (const secret of secrets) {
        const value = await findings.at({ field: `secrets.${secret.name}` }, () =>
          lookUp(secret, secretFacts, findings),
        );
        if (value !== undefined) lookups.secrets.add(secret.name);
        values[secret.name] = value ?? markUnknown(`\${${secret.name}}`);
      }
      return values;
    },
  };
}

function checkFolder(folder: string, findings: FindingList): void {
  if (hasUnknown(folder)) return;
  try {
    directoryExists(folder);
  } catch (error) {
    findings.addError(error);
  }
}

function readKnownDotenv(paths: DotenvPaths, findings: FindingList): DotenvFile | undefined {
  const { files = [], workingDir, lookup } = paths;
  const names = files.map((file) => expandVariables(file, { lookup }).value);
  const location = { ...findings.location, field: 'dotenv' };
  if ([workingDir, ...names].some(hasUnknown)) {
    findings.addAt(
      location,
      'info',
      'Dotenv files with variables in their names are only resolved at run time.',
    );
    return undefined;
  }
  try {
    return readDotenv({ ...paths, warn: (message) => findings.addAt(location, 'warning', message) });
  } catch (error) {
    findings.addAt(location, 'error', messageOf(error));
    return undefined;
  }
}

function readKnownSecretFiles(paths: SecretFilePaths, findings: FindingList): Record<string, string> {
  const { files, workingDir, lookup } = paths;
  const names = files.map((file) => expandVariables(file, { lookup }).value);
  const location = { ...findings.location, field: 'secretFiles' };
  if ([workingDir, ...names].some(hasUnknown)) {
    findings.addAt(
      location,
      'info',
      'Secret files with variables in their names are only resolved at run time.',
    );
    return {};
  }
  try {
    return readSecretFiles({ ...paths, warn: (message) => findings.addAt(location, 'warning', message) });
  } catch (error) {
    findings.addAt(location, 'error', messageOf(error));
    return {};
  }
}

/** Returns undefined when there is no value, or none yet. */
async function lookUp(
  secret: Secret,
  context: SecretContext,
  findings: FindingList,
): Promise<string | undefined> {
  try {
    const { [secret.name]: value = '' } = await resolveSecrets([secret], context);
    if (!hasUnknown(value)) return value;
    findings.add(
      'info',
      `Secret ${secret.name} is only resolved at run time: it comes from ${stripUnknownMarks(value)}.`,
    );
  } catch (error) {
    const message = messageOf(error);
    // When the directory is not known yet, the file may exist at run time.
    findings.add(hasUnknown(context.workingDir) ? 'warning' : 'error', message);
  }
  return undefined;
}
