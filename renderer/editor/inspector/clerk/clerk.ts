import type { EditResult, NodeRef } from '../../../../core/edit/edit-result.ts';
import { readEditable, type EditableText } from '../../../../core/edit/yaml/editable-text.ts';
import { computeEdit, type EditRequest } from '../reading/edit-request.ts';
import type { Inspection } from '../reading/field-state.ts';
import { inspect } from '../reading/inspect.ts';

/** What is to be read. */
interface Asked {
  /** Undefined stands for the workflow itself. */
  readonly refs: readonly (NodeRef | undefined)[];
  /** Index of the document of a further workflow. */
  readonly document?: number | undefined;
}

/** Who reads texts and computes edits for forms; a worker in the window, so that a large file does not hold it up. */
export interface Clerk {
  inspect(text: string, asked: Asked): Promise<Inspection>;
  edit(text: string, request: EditRequest): Promise<EditResult>;
  dispose(): void;
}

/** What the worker is asked. */
export type ClerkTask = { readonly text: string } & (Asked | { readonly request: EditRequest });

/** Does the work; the text of the question before is not read again. */
export class ClerkDesk {
  #editable: EditableText | undefined;

  work(task: ClerkTask): Inspection | EditResult {
    this.#editable = readEditable(task.text, this.#editable);
    return 'refs' in task
      ? inspect(this.#editable, task.refs, task.document)
      : computeEdit(this.#editable, task.request);
  }
}

/** A clerk without a worker, for where there are none. */
export function createDirectClerk(): Clerk {
  const desk = new ClerkDesk();
  return {
    inspect: async (text, asked) => desk.work({ text, ...asked }) as Inspection,
    edit: async (text, request) => desk.work({ text, request }) as EditResult,
    dispose: () => undefined,
  };
}
