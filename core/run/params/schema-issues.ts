import type { ErrorObject } from 'ajv';
import { findNearest } from '../../base/text.ts';

/** Most errors that a message lists. */
const maxFaults = 20;

/** The parts of one error message: `"batch"`, `must be >= 1`, ` (it is 0)`. */
interface SchemaIssue {
  readonly subject: string;
  readonly message: string;
  readonly value: string;
  readonly error: ErrorObject;
}

/** All schema errors of the parameters. */
export interface IssueReport {
  /** One line: `"batch" must be >= 1 (it is 0); "env" is missing`. */
  readonly text: string;
  /** The errors of single parameters, for the fields of a form. */
  readonly errors: { readonly field: string; readonly message: string }[];
  /** Names of required parameters without a value. */
  readonly missing: string[];
}

/**
 * Describes all schema errors.
 * @param errors of Ajv, in its order and with the values
 * @param names of the parameters that the schema lists
 */
export function describeIssues(errors: readonly ErrorObject[], names: readonly string[]): IssueReport {
  const issues = listIssues(errors, names);
  const lines = new Set(issues.map(({ subject, message, value }) => `${subject} ${message}${value}`));
  const listed = [...lines].slice(0, maxFaults);
  const remainder = lines.size > listed.length ? `; and ${lines.size - listed.length} more` : '';
  const missing = issues.filter(({ error }) => error.keyword === 'required' && error.instancePath === '');
  return {
    text: `${listed.join('; ')}${remainder}`,
    errors: issues.slice(0, maxFieldErrors).flatMap(toFieldError),
    missing: [...new Set(missing.map(getName))],
  };
}

/** Most errors of single parameters that are reported. */
const maxFieldErrors = 500;

function toFieldError(issue: SchemaIssue): IssueReport['errors'] {
  const { subject, message, value, error } = issue;
  const name = getName(issue);
  if (name === '') return [];
  const isWhole = subject === `"${clip(name)}"`;
  const text =
    isWhole && error.keyword === 'required'
      ? 'Required.'
      : isWhole
        ? `${message.slice(0, 1).toUpperCase()}${message.slice(1)}${value}`
        : `${subject} ${message}${value}`;
  return [{ field: `params.${name}`, message: text }];
}

/** Returns the name of the parameter that an issue is about; empty if it is about several. */
function getName({ error: { instancePath, params } }: SchemaIssue): string {
  const [, name] = instancePath.split('/');
  if (name !== undefined) return unescape(name);
  return String(
    params['missingProperty'] ??
      params['additionalProperty'] ??
      params['unevaluatedProperty'] ??
      params['propertyName'] ??
      '',
  );
}

function listIssues(errors: readonly ErrorObject[], names: readonly string[]): SchemaIssue[] {
  let issues: SchemaIssue[] = [];
  for (const error of errors) {
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') issues = joinBranches(issues, error);
    else if (error.keyword === 'contains' || error.keyword === 'propertyNames')
      issues = [...issues.filter((issue) => !isBelow(issue.error, error)), toIssue(error, names)];
    // The errors of the condition's branch are in the list already.
    else if (error.keyword !== 'if') issues.push(toIssue(error, names));
  }
  return issues;
}

/** Combines the errors of the branches of a choice into one, because fixing any branch is enough. */
function joinBranches(issues: readonly SchemaIssue[], choice: ErrorObject): SchemaIssue[] {
  const branches = issues.filter(({ error }) => isInBranch(error, choice));
  const others = issues.filter(({ error }) => !isInBranch(error, choice));
  const subject = getSubject(choice.instancePath);
  const value = getValue(choice);
  if (Array.isArray(choice.params['passingSchemas']))
    return [
      ...others,
      { subject, message: 'matches more than one alternative of the schema', value, error: choice },
    ];
  const isAlike = branches.every((branch) => branch.subject === subject);
  const messages = branches.map((branch) =>
    isAlike ? branch.message : `${branch.subject} ${branch.message}`,
  );
  const message = [...new Set(messages)].join(' or ');
  if (message === '')
    return [...others, { subject, message: 'matches no alternative of the schema', value, error: choice }];
  return [
    ...others,
    { subject: isAlike ? subject : 'either', message, value: isAlike ? value : '', error: choice },
  ];
}

const isBelow = (error: ErrorObject, above: ErrorObject): boolean =>
  error.schemaPath.startsWith(`${above.schemaPath}/`);

/**
 * Whether an error belongs to a branch of a choice. A branch that is a reference has a path of its own; Ajv reports it
 * right before the choice.
 */
function isInBranch(error: ErrorObject, choice: ErrorObject): boolean {
  if (isBelow(error, choice)) return true;
  const parentPath = choice.schemaPath.slice(0, choice.schemaPath.lastIndexOf('/') + 1);
  const isWithin = `${error.instancePath}/`.startsWith(`${choice.instancePath}/`);
  return isWithin && !error.schemaPath.startsWith(parentPath);
}

function toIssue(error: ErrorObject, names: readonly string[]): SchemaIssue {
  const { params, instancePath } = error;
  const toChildIssue = (key: string, message: string): SchemaIssue => {
    return { subject: getSubject(`${instancePath}/${escape(key)}`), message, value: '', error };
  };
  switch (error.keyword) {
    case 'required':
      return toChildIssue(String(params['missingProperty']), 'is missing');
    case 'dependencies':
    case 'dependentRequired':
      return toChildIssue(String(params['missingProperty']), `is required with "${params['property']}"`);
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
      return toChildIssue(
        name,
        instancePath === '' ? `is not a parameter of this workflow${hint(name, names)}` : 'is unknown',
      );
    }
    case 'propertyNames':
      return toChildIssue(String(params['propertyName']), 'is not an allowed name');
    default:
      return { subject: getSubject(instancePath), message: getDemand(error), value: getValue(error), error };
  }
}

function hint(name: string, names: readonly string[]): string {
  const nearest = findNearest(name, names);
  if (nearest !== undefined) return ` (did you mean "${nearest}"?)`;
  const examples = names.slice(0, 10).map((entry) => clip(entry));
  return names.length === 0
    ? ''
    : ` (valid parameters: ${examples.join(', ')}${names.length > examples.length ? ', …' : ''})`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a JSON array',
  object: 'a JSON object',
  null: 'empty',
};

/** Returns the requirement that a value violates. */
function getDemand({ keyword, params, message = 'does not match the schema' }: ErrorObject): string {
  const limit = String(params['limit']);
  switch (keyword) {
    case 'type':
      return `must be ${[params['type']]
        .flat()
        .map((type) => typeNames[String(type)])
        .join(' or ')}`;
    case 'enum': {
      const allowed = params['allowedValues'] as readonly unknown[];
      return `must be one of ${allowed.slice(0, 20).map(show).join(', ')}${allowed.length > 20 ? ', …' : ''}`;
    }
    case 'const':
      return `must be ${show(params['allowedValue'])}`;
    case 'minLength':
      return `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
      return `must have at least ${limit} items`;
    case 'maxItems':
      return `must have at most ${limit} items`;
    case 'pattern':
      return `must match ${String(params['pattern'])}`;
    case 'not':
      return 'is excluded by the schema';
    case 'false schema':
      return 'is not allowed';
    default:
      return message.replace('NOT', 'not');
  }
}

/** `/servers/0/port` → `"servers[0].port"`. */
function getSubject(instancePath: string): string {
  if (instancePath === '') return 'the parameters';
  const keys = instancePath.slice(1).split('/');
  const path = keys.map((key, index) => {
    if (index === 0) return unescape(key);
    return /^[0-9]+$/.test(key) ? `[${key}]` : `.${unescape(key)}`;
  });
  return `"${clip(path.join(''))}"`;
}

const unescape = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~');
const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

const getValue = ({ instancePath, data }: ErrorObject): string =>
  instancePath === '' ? '' : ` (got ${show(data)})`;

function show(value: unknown): string {
  if (value === '' || value === null) return 'empty';
  return clip(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Shortens a string and puts it on one line. */
function clip(text: string): string {
  const line = text.slice(0, 61).replaceAll(/[\s\p{Cc}]+/gu, ' ');
  return text.length > 60 ? `${line.slice(0, 60)}…` : line;
}
