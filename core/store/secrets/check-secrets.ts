// A file of its own: only `engine validate` loads it.
import { getErrorMessage } from '../../base/errors.ts';
import type { SpecFile } from '../../home/library/read-spec.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SourcePosition } from '../../model/step.ts';
import type { SecretSources } from '../../process/secrets/provider.ts';
import { resolveSecrets } from '../../process/secrets/resolve-secrets.ts';
import { readSource } from '../../spec/read-source.ts';
import { findField, getField } from '../../spec/source.ts';

/** Checks that this host can read the stored secrets of a workflow file; another host may be able to. */
export async function checkStoredSecrets(
  { text, workflows }: SpecFile,
  file: string,
  sources: SecretSources,
): Promise<Diagnostic[]> {
  const problems: Diagnostic[] = [];
  for (const [document, { secrets = [] }] of workflows.entries()) {
    for (const [index, secret] of secrets.entries()) {
      if (secret.provider !== 'store' && secret.provider !== 'keychain') continue;
      try {
        await resolveSecrets([secret], { ...sources, variables: {}, workingDir: '/', fileDir: '/' });
      } catch (error) {
        const at = locateSecret(text, document, index);
        const path = `secrets[${index}].key`;
        problems.push({ severity: 'warning', message: `${getErrorMessage(error)}.`, file, path, ...at });
      }
    }
  }
  return problems;
}

function locateSecret(text: string, document: number, index: number): SourcePosition {
  const { result } = readSource({ text, file: '' }, (documents, { lines }) => {
    const node = documents[document];
    const list = node && findField({ node, path: '' }, 'secrets');
    return list && lines.locate(getField(getField(list, index), 'key').node.start);
  });
  return result ?? { line: 1, column: 1 };
}
