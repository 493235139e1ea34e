/** A person, as an identity provider describes them. */
export interface Identity {
  /** Permanent id of the person at the provider. */
  subject: string;
  /** Null if the provider sends none, or an unverified one. */
  email: string | null;
  fullname: string | null;
}
