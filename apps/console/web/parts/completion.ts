/** Something that may stand at the cursor. */
export interface Completion {
  /** Such as the name of a method. */
  name: string;
  /** The text that takes the place of what was typed of it; the name if absent. */
  inserted?: string;
  /** Where the cursor stands in the inserted text; at its end if absent. */
  cursor?: number;
  /** Signature or type. */
  detail: string;
  description?: string;
  example?: string;
}

/** Names that may stand at a place of a text, and where the one that is typed there begins. */
export interface Completions {
  from: number;
  options: readonly Completion[];
}

/** Tells what may stand at a place of a text; nothing where it cannot know. */
export type Complete = (text: string, offset: number) => Completions | undefined;

/** Keeps the options that begin with what was typed, then those that contain it. */
export function matching(options: readonly Completion[], typed: string): readonly Completion[] {
  const wanted = typed.toLowerCase();
  const at = options.map((one) => one.name.toLowerCase().indexOf(wanted));
  return [
    ...options.filter((_, index) => at[index] === 0),
    ...options.filter((_, index) => (at[index] ?? -1) > 0),
  ];
}
