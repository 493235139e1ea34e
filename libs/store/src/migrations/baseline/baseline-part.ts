/** Tables and functions of one topic. */
export interface BaselinePart {
  sql: string;
  /** Tables of which services change rows of one organization at a time. */
  tables: readonly string[];
  /** Tables likewise, of which they may do less: the rights by table. */
  limited?: Readonly<Record<string, string>>;
}
