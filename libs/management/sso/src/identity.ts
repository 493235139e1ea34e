/** Whom an identity provider vouches for. */
export interface Identity {
  /** What names the person at the provider for good. */
  subject: string;
  /** Null when the provider tells none, or calls it unverified. */
  email: string | null;
  fullname: string | null;
}
