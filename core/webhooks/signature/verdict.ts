/** Result of a signature check, with a message for people. */
export type VerificationResult =
  | {
      readonly verified: true;
      /** The verification method. */
      readonly by: 'sha256' | 'sha1' | 'standard' | 'bearer';
      /** Index of the matching secret, from 0; during a rotation there are two. */
      readonly secret: number;
    }
  | {
      readonly verified: false;
      /** Error message without any secret or expected digest. */
      readonly reason: string;
    };

/** Returns a failed result. */
export const failedVerification = (reason: string): VerificationResult => ({ verified: false, reason });
