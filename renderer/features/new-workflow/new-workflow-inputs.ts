import { emptySource, type SourceText } from './files/text-file.ts';
import type { TextSourceKind } from './ways.ts';

/** The kind of crontab, which decides whether its lines name users. */
export type CrontabKind = 'detect' | 'user' | 'system';

/** Input for all ways at once, so that switching between them loses nothing. */
export interface NewWorkflowInputs {
  readonly blank: { readonly description: string; readonly step: string; readonly command: string };
  /** Id of the template. */
  readonly template: string;
  readonly shell: SourceText & { readonly split: boolean };
  readonly crontab: SourceText & { readonly kind: CrontabKind };
  readonly makefile: SourceText & {
    /** The default target of make when undefined. */
    readonly target: string | undefined;
  };
  readonly yaml: SourceText;
}

export const emptyInputs: NewWorkflowInputs = {
  blank: { description: '', step: 'hello', command: 'echo "Hello from Stepwright"' },
  template: 'first-steps',
  shell: { ...emptySource, split: false },
  crontab: { ...emptySource, kind: 'detect' },
  makefile: { ...emptySource, target: undefined },
  yaml: emptySource,
};

/** Sets the text of one way; options that depend on the text are reset for another file. */
export function withSourceText(
  requests: NewWorkflowInputs,
  way: TextSourceKind,
  source: SourceText,
): NewWorkflowInputs {
  if (way === 'makefile') {
    const target = source.fileName === requests.makefile.fileName ? requests.makefile.target : undefined;
    return { ...requests, makefile: { ...source, target } };
  }
  return { ...requests, [way]: { ...requests[way], ...source } };
}
