import { AppError } from '../../base/errors.ts';
import { countUtf8Bytes } from '../../base/text/utf8.ts';

/** Longest name segment that file systems accept and longest name that is reported, in bytes. */
const maxLength = { segment: 255, name: 1024 } as const;

/**
 * Checks that the name of an artifact stays below the artifact directory on any system: names separated by slashes,
 * none of them `.` or `..`.
 * @throws `bad_request`
 */
export function checkArtifactName(name: string): string {
  const segments = name.split('/');
  const isSafe =
    countUtf8Bytes(name) <= maxLength.name &&
    !/[\p{Cc}\\]/u.test(name) &&
    !/^[A-Za-z]:/.test(name) &&
    segments.every(
      (segment) =>
        segment !== '' && segment !== '.' && segment !== '..' && countUtf8Bytes(segment) <= maxLength.segment,
    );
  if (isSafe) return name;
  throw new AppError(
    'bad_request',
    `Invalid artifact name ${JSON.stringify(name.slice(0, 200))}. Use a relative path without "..", backslashes or control characters, at most ${maxLength.segment} bytes per segment and ${maxLength.name} in total.`,
  );
}
