import { findPlace, textOf, type Place } from './source/source-node.ts';

/** A field of the language that is read and checked, and refused: leaving it out would change what runs. */
export interface LaterField {
  readonly section: 'workflow' | 'step';
  /** In canonical spelling. */
  readonly field: string;
  /** Which form of the field is meant, when not every one. */
  readonly form?: {
    /** The form in words that begin a sentence. */
    readonly name: string;
    /** Key of the field's own map at which the form shows. */
    readonly key?: string;
    /**
     * @param place of the field's value
     * @param parent of the workflow or step it belongs to
     */
    matches(place: Place, parent: Place): boolean;
  };
}

/** The one list of what is still to come: whoever makes a field work takes it out. */
export const laterFields: readonly LaterField[] = [
  {
    section: 'step',
    field: 'type',
    form: {
      name: '"config" of a step kind',
      key: 'config',
      matches: (place) => findPlace(place, 'config') !== undefined && isPlainKind(findPlace(place, 'type')),
    },
  },
  {
    section: 'step',
    field: 'config',
    form: {
      name: '"config" of a step kind',
      matches: (_, step) => isPlainKind(findPlace(step, 'type')),
    },
  },
];

function isPlainKind(type: Place | undefined): boolean {
  return type === undefined || plainStepTypes.includes(textOf(type.node));
}

/** Kinds of steps that need no executor of their own: what they do shows in their other fields. */
export const plainStepTypes: readonly string[] = ['', 'command', 'shell', 'dag', 'subworkflow', 'parallel'];

/** What to say about a refused field. */
export function describeRefused(what: string): string {
  return `${what} is not supported yet by this version, and leaving it out would change what runs. Remove it, or wait for a version that has it.`;
}
