/** Whether a request was signed with one of the secrets, and what a person is told of it. */
export type Verdict =
  | {
      readonly verified: true;
      /** The way it was proved. */
      readonly by: 'sha256' | 'sha1' | 'standard' | 'bearer';
      /** Which of the secrets, from 0: during a rotation there are two. */
      readonly secret: number;
    }
  | {
      readonly verified: false;
      /** What is wrong, a sentence that tells no secret and no expected digest. */
      readonly reason: string;
    };

/** A refusal with its reason. */
export const refuse = (reason: string): Verdict => ({ verified: false, reason });
